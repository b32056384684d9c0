// Tests of the strategy over a few positions. They run with `build/check`.
#include "strategy.h"
#include <algorithm>
#include <fstream>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>

using namespace google::protobuf;
using hearts::v1::TURN_KIND_PASS, hearts::v1::TURN_KIND_PLAY;

template <typename Message> Message read(const std::string& json) {
    Message message;
    auto status = util::JsonStringToMessage(json, &message);
    if (!status.ok()) throw std::runtime_error(status.ToString());
    return message;
}

// The turns of positions.json, by situation.
std::map<std::string, Turn> positions() {
    std::ifstream file("positions.json");
    auto list = read<Struct>(std::string(std::istreambuf_iterator<char>(file), {})).fields().at("positions");
    std::map<std::string, Turn> turns;
    for (const Value& position : list.list_value().values()) {
        std::string turn;
        util::MessageToJsonString(position.struct_value().fields().at("turn"), &turn);
        turns[position.struct_value().fields().at("situation").string_value()] = read<Turn>(turn);
    }
    return turns;
}

int failures = 0;

void expect(bool holds, const std::string& situation, const std::string& what) {
    if (holds) return;
    std::cerr << situation << ": " << what << "\n";
    failures++;
}

bool is_legal(const Turn& turn, int card) {
    return std::count(turn.legal().begin(), turn.legal().end(), card) > 0;
}

void every_position_gets_a_legal_decision() {
    for (const auto& [situation, turn] : positions()) {
        if (turn.kind() == TURN_KIND_PASS) {
            auto cards = choose_pass(turn);
            expect(cards.size() == turn.pass_count(), situation, std::to_string(cards.size()) + " cards are passed");
            std::sort(cards.begin(), cards.end());
            expect(std::adjacent_find(cards.begin(), cards.end()) == cards.end(), situation, "a card is passed twice");
            for (int card : cards) expect(is_legal(turn, card), situation, std::to_string(card) + " is not legal");
        } else if (turn.kind() == TURN_KIND_PLAY) {
            int card = choose_card(turn);
            expect(is_legal(turn, card), situation, std::to_string(card) + " is not legal");
            expect(choose_card(turn) == card, situation, "the same turn gets another decision");
        } else {
            int choice = choose_moon(turn);
            expect(choice == 1 || choice == 2, situation, std::to_string(choice) + " is no choice");
        }
    }
}

// What this strategy should do, as you want it: change this with strategy.h.
void the_queen_of_spades_goes_where_another_takes_her() {
    std::string situation = "discard with the queen of spades";
    expect(choose_card(positions().at(situation)) == hearts::v1::CARD_QS, situation, "another card is played");
}

int main() {
    every_position_gets_a_legal_decision();
    the_queen_of_spades_goes_where_another_takes_her();
    std::cout << (failures ? "failed\n" : "ok\n");
    return failures ? 1 : 0;
}
