// Compares the duck with its expected decisions: `make check`.
#include "strategy.h"
#include <fstream>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <iostream>
#include <iterator>
#include <stdexcept>

using namespace google::protobuf;
using hearts::v1::Decision;

template <typename Message> Message read(const std::string& json) {
    Message message;
    auto status = util::JsonStringToMessage(json, &message);
    if (!status.ok()) throw std::runtime_error(status.ToString());
    return message;
}

std::string json(const Message& message) {
    std::string text;
    util::MessageToJsonString(message, &text);
    return text;
}

bool is_as_expected(const Turn& turn, const Decision& expected) {
    if (turn.turn_id() != expected.turn_id()) return false;
    if (turn.kind() == hearts::v1::TURN_KIND_MOON) return choose_moon(turn) == expected.moon_choice();
    Cards decided = turn.kind() == hearts::v1::TURN_KIND_PASS ? choose_pass(turn) : Cards{choose_card(turn)};
    return decided == Cards(expected.cards().begin(), expected.cards().end());
}

int main(int count, char** arguments) try {
    std::ifstream file(count > 1 ? arguments[1] : "../../proto/vectors/duck.json");
    auto vectors = read<Struct>(std::string(std::istreambuf_iterator<char>(file), {})).fields().at("vectors");
    for (const Value& vector : vectors.list_value().values()) {
        const auto& fields = vector.struct_value().fields();
        auto turn = read<Turn>(json(fields.at("turn")));
        auto expected = read<Decision>(json(fields.at("decision")));
        if (!is_as_expected(turn, expected)) throw std::runtime_error("another decision than in " + json(vector));
    }
    std::cout << "duck: " << vectors.list_value().values_size() << " decisions as expected\n";
} catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
}
