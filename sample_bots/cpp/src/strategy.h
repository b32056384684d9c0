// Ducks: plays the highest card that does not win, passes high cards, and is careful with the queen of spades.
// The same strategy is written in every language of the sample bots; proto/vectors/duck.json holds its decisions.
#pragma once
#include "hearts/v1/table.pb.h"
#include <algorithm>
#include <tuple>
#include <vector>

using hearts::v1::MoonChoice, hearts::v1::Turn;
using Cards = std::vector<int>;

constexpr int hearts_suit = 2, spades = 3;
constexpr int queen_of_spades = hearts::v1::CARD_QS;
constexpr int guards_needed = 4; // spades below the queen that make high spades safe to keep

// A card is a number: 1 to 13 are the clubs from two to ace, then diamonds, hearts, spades.
inline int suit(int card) { return (card - 1) / 13; }
inline int rank(int card) { return (card - 1) % 13 + 2; }
inline int by_rank(int card) { return 4 * rank(card) + suit(card); }

template <typename List> bool contains(const List& cards, int card) {
    return std::find(cards.begin(), cards.end(), card) != cards.end();
}

// The cards that fit, in their order.
template <typename List, typename Fits> Cards filter(const List& cards, Fits fits) {
    Cards fitting;
    std::copy_if(cards.begin(), cards.end(), std::back_inserter(fitting), fits);
    return fitting;
}

// The card with the largest key; keys of different cards differ.
template <typename Key> int most(const Cards& cards, Key key) {
    return *std::max_element(cards.begin(), cards.end(), [&](int a, int b) { return key(a) < key(b); });
}

// Passes unguarded high spades, then what is highest, of equals the heart.
inline Cards choose_pass(const Turn& turn) {
    auto guards = filter(turn.hand(), [](int card) { return suit(card) == spades && card < queen_of_spades; });
    auto danger = [&](int card) {
        if (suit(card) == spades) return card >= queen_of_spades && guards.size() < guards_needed ? 20 + card : 0;
        return 2 * rank(card) + (suit(card) == hearts_suit);
    };
    Cards cards(turn.legal().begin(), turn.legal().end());
    std::sort(cards.begin(), cards.end(), [&](int a, int b) {
        return std::make_tuple(danger(a), a) < std::make_tuple(danger(b), b);
    });
    return Cards(cards.end() - turn.pass_count(), cards.end());
}

// How badly a high spade may end: 2 is the queen herself, 1 what she can be played under.
inline int risk(int card, bool queen_lurks) {
    if (card == queen_of_spades) return 2;
    return card > queen_of_spades && queen_lurks ? 1 : 0;
}

inline int lead(const Cards& legal, bool queen_lurks) {
    return most(legal, [&](int card) { return -(100 * risk(card, queen_lurks) + by_rank(card)); });
}

// Stays below the best card so far, as high as can be; where that cannot be, keeps the queen back.
inline int follow(const Cards& legal, const Cards& trick, bool is_last) {
    int times[15] = {}; // how often each rank of the suit led lies in the trick; twins cancel each other
    for (int card : trick)
        if (suit(card) == suit(trick[0])) times[rank(card)]++;
    int best = 14;
    while (best > 0 && times[best] != 1) best--;
    Cards safe = filter(legal, [&](int card) { return rank(card) < best || times[rank(card)] > 0; });
    if (contains(safe, queen_of_spades)) return queen_of_spades;
    if (!safe.empty()) return *std::max_element(safe.begin(), safe.end());
    Cards others = filter(legal, [](int card) { return card != queen_of_spades; });
    if (others.empty()) return queen_of_spades;
    auto [lowest, highest] = std::minmax_element(others.begin(), others.end());
    return is_last ? *highest : *lowest;
}

inline int discard(const Cards& legal, bool queen_lurks) {
    return most(legal, [&](int card) {
        return 200 * risk(card, queen_lurks) + 100 * (suit(card) == hearts_suit) + by_rank(card);
    });
}

inline int choose_card(const Turn& turn) {
    int seats = turn.seats();
    Cards legal(turn.legal().begin(), turn.legal().end());
    Cards trick(turn.played().end() - turn.played_size() % seats, turn.played().end());
    bool queen_lurks = !contains(turn.played(), queen_of_spades) && !contains(turn.hand(), queen_of_spades);
    if (trick.empty()) return lead(legal, queen_lurks);
    if (suit(legal[0]) == suit(trick[0])) return follow(legal, trick, int(trick.size()) == seats - 1);
    return discard(legal, queen_lurks);
}

// Gives the moon to the others, unless that would end the match and this seat would not have won it alone.
inline MoonChoice choose_moon(const Turn& turn) {
    int seat = turn.seat(), taken = turn.points(seat);
    Cards others(turn.scores().begin(), turn.scores().end());
    others.erase(others.begin() + seat);
    auto [lowest, highest] = std::minmax_element(others.begin(), others.end());
    bool ends = *highest + taken >= int(turn.target());
    bool spoils = *lowest + taken <= turn.scores(seat);
    return ends && spoils ? hearts::v1::MOON_CHOICE_SUBTRACT : hearts::v1::MOON_CHOICE_ADD;
}
