"""Short texts on buttons that all games have, and the names and descriptions of commands."""

from typing import Final

from bot.text.language import N_

#: Opens the form with a refused guess in it.
EDIT_BUTTON: Final = N_("Edit")
#: Does what the bot had no time for; at most 80 characters.
TRY_AGAIN_BUTTON: Final = N_("Try again")
#: Opens an unfinished game.
OPEN_BUTTON: Final = N_("Open")
#: Posts the result to the channel.
SHARE_BUTTON: Final = N_("Share")
#: Below a result that somebody has shared: leads to a game like it.
TRY_BUTTON: Final = N_("Try it")
#: Explains the game.
HELP_BUTTON: Final = N_("How to play")
#: Shows what else can be done with a game, below a board's other buttons.
MORE_BUTTON: Final = N_("More")
#: Takes that away again.
LESS_BUTTON: Final = N_("Less")
#: Shows again what was shown before.
BACK_BUTTON: Final = N_("Back")


# What Discord shows while a command is typed. It takes these at start, in English.
PLAY = "What is new for you, and a way to every game"
FOCDLE = "Play today's FoCdle: find the hidden equation"
FOCDLE_GUESS = "Play a guess at once, such as 12+34-5=41"
FOCDLE_PUZZLE = "An earlier puzzle: its number or date, and /length for another length"
PRACTICE = "Play a FoCdle that counts for nothing, as often as you like"
PRACTICE_LENGTH = "How many symbols, 7 to 15"
PRACTICE_WATCH = "Watch the bot break one instead, and see why it guesses what it guesses"
GAMES = "Your unfinished games, and the finished ones to look at again"
HELP = "How the games are played, with examples"
HELP_TOPIC = "What to explain"
PREFERENCES = "Hard mode, tiles for the colour-blind, your time zone, and more"
PRIVACY = "What is stored about you: look at it, export it, delete it"
SETTINGS = "This server's daily post, channel, time zone and length of the puzzle"
SETTINGS_CHANNEL = "Where the bot posts of its own accord"
SETTINGS_TIMEZONE = "Where the day's puzzle changes at midnight: type a city or a country"
SETTINGS_LENGTH = "How many symbols the day's puzzle has, 9 to 13"
MASTERMIND = "Break codes of coloured pegs, or have yours broken"
MASTERMIND_PLAY = "Break the bot's code"
MASTERMIND_DEFEND = "Think of a code; the bot breaks it, and you say how close its guesses are"
MASTERMIND_CHALLENGE = "Set a code for a member to break, in front of everybody"
MASTERMIND_WATCH = "See how the bot breaks a code, and why it guesses what it guesses"
MASTERMIND_MEMBER = "Who is to break your code"
MASTERMIND_PEGS = "How many pegs the code has, 3 to 6; 4 if you leave it out"
MASTERMIND_COLOURS = "How many colours there are, 4 to 10; 6 if you leave it out"
MASTERMIND_REPEATS = "Whether a colour may be in the code more than once; yes if you leave it out"
MASTERMIND_GUESSES = "How many guesses there are, 6 to 13; 12 if you leave it out"
MASTERMIND_PLAY_PEGS = "How many pegs the code has, 3 to 6; as last time, else 4"
MASTERMIND_PLAY_COLOURS = "How many colours there are, 4 to 10; as last time, else 6"
MASTERMIND_PLAY_REPEATS = "Whether a colour may be in it more than once; as last time, else yes"
MASTERMIND_PLAY_GUESSES = "How many guesses there are, 6 to 13; as last time, else 12"
DUEL = "Bulls and Cows: find each other's number. Without an opponent you play the bot"
DUEL_OPPONENT = "Who is challenged; the bot if you leave it out"
DUEL_DIGITS = "How many digits a number has, 3 to 6"
DUEL_MENU = "Challenge to a duel"
LEADERBOARD = "Who leads: points, streaks, Mastermind, duels"
LEADERBOARD_GAME = "What is ranked; the first game with somebody on its board if you leave it out"
LEADERBOARD_PERIOD = "Which time; points of this week, all time for the others, if you leave it out"
LEADERBOARD_SCOPE = "This server or everywhere; this server if you leave it out"
STATS = "What came of your games, or of a member's: guesses, streaks, ratings"
STATS_MEMBER = "Whose; yours if you leave it out"
STATS_MENU = "Game stats"
