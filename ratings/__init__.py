"""Ratings of Hearts bots: online Elo, Bradley-Terry, points a deal, and their publication."""
