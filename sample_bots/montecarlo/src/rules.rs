//! What a rule set says, in the form in which it is looked up while deals are played out.

use crate::cards::{CARDS, Card, Cards, HEARTS, Hand, QUEEN_OF_SPADES, bit, each, of_suit, suit};
use crate::hearts::{self, CardPoints, Moon, MoonNeeds, RuleSet, Turn};

pub const SEATS_MAX: usize = 11;

pub struct Rules {
    pub seats: usize,
    pub pack: Hand, // all cards in play
    pub values: [i32; CARDS],
    pub penalties: Cards, // cards of positive value
    pub bonuses: Cards,   // cards of negative value
    pub needed: Cards,    // what a moon needs; none where a moon is nothing special
    pub needed_total: usize,
    pub moon_amount: i32,
    pub moon_subtracts: bool,
    pub lowest_club_leads: bool,
    pub barred: Cards,       // from the first trick
    pub first_choice: Cards, // what a follower with nothing but barred cards must prefer
    pub hearts_wait: bool,   // for hearts to be broken
    pub queen_waits: bool,
    pub queen_frees_hearts: bool,
    pub breaks: [Cards; 4], // what breaks hearts, by the suit led
    pub cancels: bool,
    pub last_cancelled: hearts::LastTrickCancelled,
    pub chance: Chances,
}

/// How likely things are while nothing but numbers is known: of `out` cards of a suit that others hold.
pub struct Chances {
    pub is_void: [f32; 27],         // [out]: one seat has none of them
    pub must_beat: [[f32; 27]; 27], // [out][above]: one seat has only such as are above
}

impl Rules {
    pub fn new(rules: &RuleSet) -> Rules {
        let seats = rules.seats as usize;
        let removed = rules.removed.iter().fold(0, |cards, &card| cards | bit((card - 1) as Card));
        let faces = (bit(52) - 1) & !removed;
        let twins = if rules.packs == 2 { faces } else { 0 };
        let pack = Hand { faces, twins };
        let values = values(rules);
        let penalties =
            faces & each(faces).filter(|&card| values[card as usize] > 0).fold(0, |all, card| all | bit(card));
        let bonuses =
            faces & each(faces).filter(|&card| values[card as usize] < 0).fold(0, |all, card| all | bit(card));
        let total: i32 = pack.cards().map(|card| values[card as usize].max(0)).sum();
        let needed = faces
            & match (rules.moon(), rules.moon_needs()) {
                (Moon::None, _) => 0,
                (_, MoonNeeds::HeartsAndQueen) => of_suit(HEARTS) | bit(QUEEN_OF_SPADES),
                (_, MoonNeeds::AllPenaltyAndBonus) => penalties | bonuses,
                _ => penalties,
            };
        Rules {
            seats,
            pack,
            values,
            penalties,
            bonuses,
            needed,
            needed_total: pack.cards().filter(|&card| needed & bit(card) != 0).count(),
            moon_amount: rules.moon_points.map_or(total, |points| points as i32),
            moon_subtracts: rules.moon() == Moon::Subtract,
            lowest_club_leads: rules.first_lead() == hearts::FirstLead::LowestClub,
            barred: match rules.first_trick() {
                hearts::FirstTrick::Free => 0,
                hearts::FirstTrick::QueenAllowed => penalties & !bit(QUEEN_OF_SPADES),
                _ => penalties,
            },
            first_choice: match rules.first_trick_exception() {
                hearts::FirstTrickException::QueenForced => bit(QUEEN_OF_SPADES),
                hearts::FirstTrickException::HeartsFirst => of_suit(HEARTS),
                _ => 0,
            },
            hearts_wait: rules.hearts_must_break,
            queen_waits: rules.queen_lead() == hearts::QueenLead::AfterBroken,
            queen_frees_hearts: rules.lead_exception() == hearts::LeadException::OnlyHeartsOrQueen,
            breaks: std::array::from_fn(|led| breaks(rules, led)),
            cancels: rules.cancellation && rules.packs == 2,
            last_cancelled: rules.last_trick_cancelled(),
            chance: Chances::new(seats - 1),
        }
    }

    /// The base game, for a turn of a match whose rules were not told. Cards that are not in play count as a widow.
    pub fn guess(turn: &Turn) -> Rules {
        let cards = (turn.hand.len() + turn.leaders.len().saturating_sub(1)) * turn.seats as usize;
        let penalties = vec![CardPoints { card: 1 + i32::from(QUEEN_OF_SPADES), points: 13 }];
        let packs = if cards > CARDS { 2 } else { 1 };
        let first_lead = hearts::FirstLead::LowestClub.into();
        Rules::new(&RuleSet {
            seats: turn.seats,
            packs,
            penalties,
            first_lead,
            hearts_must_break: true,
            cancellation: packs == 2,
            ..RuleSet::default()
        })
    }

    pub fn value(&self, card: Card) -> i32 {
        self.values[card as usize]
    }
}

fn values(rules: &RuleSet) -> [i32; CARDS] {
    let is_rank = rules.heart_values() == hearts::HeartValues::Rank;
    let mut values = std::array::from_fn(|card| match suit(card as Card) {
        HEARTS if is_rank => card as i32 % 13 + 2,
        HEARTS => 1,
        _ => 0,
    });
    for special in rules.penalties.iter().chain(&rules.bonuses) {
        values[special.card as usize - 1] = special.points;
    }
    values
}

fn breaks(rules: &RuleSet, led: usize) -> Cards {
    let heart_breaks = led != HEARTS || rules.hearts_broken_by() != hearts::HeartsBrokenBy::HeartDiscarded;
    let queen_breaks = match rules.queen_breaks() {
        hearts::QueenBreaks::Played => true,
        hearts::QueenBreaks::Discarded => led != suit(QUEEN_OF_SPADES),
        _ => false,
    };
    (if heart_breaks { of_suit(HEARTS) } else { 0 }) | (if queen_breaks { bit(QUEEN_OF_SPADES) } else { 0 })
}

impl Chances {
    fn new(others: usize) -> Chances {
        let others = others as f32;
        let cards_each = |out: usize| (out as f32 / others).max(1.0);
        Chances {
            is_void: std::array::from_fn(|out| (1.0 - 1.0 / others).powi(out as i32)),
            must_beat: std::array::from_fn(|out| {
                std::array::from_fn(|above| (above as f32 / out.max(1) as f32).min(1.0).powf(cards_each(out)))
            }),
        }
    }
}
