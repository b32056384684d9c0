//! Sets of cards as bits. A card is counted from 0 here: 0 to 12 are the clubs from two to ace, then diamonds, hearts,
//! spades; on the wire it is one more.

pub const CARDS: usize = 52;
pub const HEARTS: usize = 2;
pub const SPADES: usize = 3;
pub const QUEEN_OF_SPADES: Card = 49;

pub type Card = u8;
pub type Cards = u64;

pub fn bit(card: Card) -> Cards {
    1 << card
}

pub fn suit(card: Card) -> usize {
    card as usize / 13
}

pub fn of_suit(suit: usize) -> Cards {
    0x1fff << (13 * suit)
}

/// Cards of a lower number; within a suit, the lower ones.
pub fn below(card: Card) -> Cards {
    bit(card) - 1
}

pub fn lowest(cards: Cards) -> Card {
    cards.trailing_zeros() as Card
}

pub fn highest(cards: Cards) -> Card {
    63 - cards.leading_zeros() as Card
}

pub fn count(cards: Cards) -> usize {
    cards.count_ones() as usize
}

pub fn each(mut cards: Cards) -> impl Iterator<Item = Card> {
    std::iter::from_fn(move || {
        (cards != 0).then(|| {
            let card = lowest(cards);
            cards &= cards - 1;
            card
        })
    })
}

/// Cards that may include twins, where two packs are in play.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Hand {
    pub faces: Cards,
    pub twins: Cards, // those of the faces that are there twice
}

impl Hand {
    pub fn of(cards: impl IntoIterator<Item = Card>) -> Hand {
        let mut hand = Hand::default();
        cards.into_iter().for_each(|card| hand.add(card));
        hand
    }

    pub fn add(&mut self, card: Card) {
        self.twins |= self.faces & bit(card);
        self.faces |= bit(card);
    }

    pub fn remove(&mut self, card: Card) {
        let is_twin = self.twins & bit(card);
        self.twins &= !is_twin;
        self.faces &= !bit(card) | is_twin;
    }

    pub fn count(&self) -> usize {
        count(self.faces) + count(self.twins)
    }

    pub fn cards(&self) -> impl Iterator<Item = Card> + use<> {
        each(self.faces).chain(each(self.twins))
    }
}
