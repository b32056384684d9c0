"""Who plays whom, when and in which seat: pure, lazy and seeded."""
