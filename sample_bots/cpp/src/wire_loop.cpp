// The wire loop: plays the strategy at every table that the referee offers, until it says farewell.
#include "hearts/v1/referee_service.grpc.pb.h"
#include "strategy.h"
#include <csignal>
#include <google/protobuf/text_format.h>
#include <grpcpp/grpcpp.h>
#include <iostream>
#include <random>
#include <set>
#include <unistd.h>
using namespace hearts::v1;

// Decisions of one message, by the protocol; failures running, with the pauses between them more than a minute.
constexpr int decisions_max = 128, failures_max = 60;
const auto hello = "hello { protocol_min: 1 protocol_max: 1 bot_name: 'duck-cpp' bot_version: '1.0' sdk: 'c++ grpc' tables_max: 256 }";
// A call that ends with one of these would end so again.
const std::set<int> refusals = {grpc::UNAUTHENTICATED, grpc::PERMISSION_DENIED, grpc::INVALID_ARGUMENT,
                                grpc::FAILED_PRECONDITION, grpc::UNIMPLEMENTED};

std::string environment(const char* name) { return std::getenv(name) ? std::getenv(name) : ""; }

void end(int code, const std::string& said) { std::cerr << said << std::endl, _exit(code); }

void decide(const Turn& turn, Decision& decision) {
    decision.set_turn_id(turn.turn_id());
    if (turn.kind() == TURN_KIND_PLAY) decision.add_cards(Card(choose_card(turn)));
    if (turn.kind() == TURN_KIND_PASS) for (int card : choose_pass(turn)) decision.add_cards(Card(card));
    if (turn.kind() == TURN_KIND_MOON) decision.set_moon_choice(choose_moon(turn));
}

int main() {
    if (!std::getenv("HEARTS_REFEREE") || !std::getenv("HEARTS_TOKEN")) end(2, "HEARTS_REFEREE and HEARTS_TOKEN must be set.");
    std::signal(SIGTERM, [](int) { _exit(0); });
    setenv("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", environment("HEARTS_CA").c_str(), true);
    auto security = environment("HEARTS_CA").empty() ? grpc::InsecureChannelCredentials() : grpc::SslCredentials({});
    for (int failures = 1;; failures++) {
        grpc::ClientContext call;
        call.AddMetadata("authorization", "Bearer " + environment("HEARTS_TOKEN"));
        call.AddMetadata("hearts-instance", environment("HEARTS_INSTANCE"));
        auto referee = RefereeService::NewStub(grpc::CreateChannel(environment("HEARTS_REFEREE"), security));
        auto stream = referee->Play(&call);
        RefereeMessage message;
        BotMessage answers;
        google::protobuf::TextFormat::ParseFromString(hello, &answers);
        for (stream->Write(answers); stream->Read(&message); failures = 0)
            for (int i = 0; i < message.turns_size(); i++) {
                if (i % decisions_max == 0) answers.Clear();
                decide(message.turns(i), *answers.add_decisions());
                if (answers.decisions_size() == decisions_max || i + 1 == message.turns_size()) stream->Write(answers);
            }
        grpc::Status status = stream->Finish(); // tells too why a Write failed
        if (message.has_farewell() && message.farewell().reason() != FAREWELL_REASON_DRAINING) end(0, message.farewell().message());
        if (refusals.count(status.error_code()) || failures > failures_max) end(1, "No more play: " + status.error_message());
        usleep((50000 + std::random_device()() % 50000) << std::min(failures, 4)); // jitter: not all bots at once
    }
}
