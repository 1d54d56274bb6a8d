"""Findings about what Discord says: of the token, the application, commands and emojis."""

from bot.services.doctor.findings import Finding, Weight


class Unreachable(Finding):
    """Discord does not answer, or not as it should."""

    weight = Weight.ERROR
    what: str
    """What it was asked for: a path."""
    reason: str


class TooSlow(Finding):
    """Discord has not answered in time."""

    weight = Weight.ERROR
    what: str
    seconds: int


class BadToken(Finding):
    """Discord does not know the token."""

    weight = Weight.ERROR


class TokenGood(Finding):
    """Whose the token is."""

    name: str
    application: int


class ClockRight(Finding):
    """This machine's clock agrees with Discord's."""

    seconds: int


class ClockOff(ClockRight):
    """It differs by more than it should: above 0 where it is fast."""

    weight = Weight.WARNING


class ClockWrong(ClockOff):
    """It differs so much that puzzles change at the wrong time."""

    weight = Weight.ERROR


class OtherApplication(Finding):
    """The database is another application's."""

    weight = Weight.WARNING
    owner: int
    now: int


class ServersFound(Finding):
    """In how many servers the bot is, about."""

    servers: int


class IntentsNone(Finding):
    """No privileged intent is on, and none is needed."""


class IntentsNeedless(Finding):
    """Privileged intents are on, of which none is needed."""

    weight = Weight.WARNING
    names: tuple[str, ...]
    """Discord's names for programs."""


class InteractionsElsewhere(Finding):
    """Discord sends clicks and commands to an address, not to the bot."""

    weight = Weight.ERROR


class CodeGrantRequired(Finding):
    """Nobody can add the bot by a link."""

    weight = Weight.ERROR


class NotPublic(Finding):
    """Only the application's owner can add the bot."""


class LoginsLeft(Finding):
    """How often a shard may log in today."""

    left: int
    total: int
    shards: int
    """How many Discord asks for."""


class LoginsFew(LoginsLeft):
    """That is for a few starts only."""

    weight = Weight.WARNING
    minutes: int
    """Until it is the whole number again."""


class LoginsSpent(LoginsFew):
    """That is not enough for one start."""

    weight = Weight.ERROR


class CommandsRegistered(Finding):
    """Discord has our commands as they are."""

    commands: int


class CommandsToCome(Finding):
    """Discord has none yet; the first start tells it."""

    commands: int


class CommandsOther(Finding):
    """Discord has others, or they have changed; the next start tells it."""

    weight = Weight.WARNING
    missing: str
    """Names; empty for none."""
    needless: str


class EmojisThere(Finding):
    """Discord has all pictures of tiles and pegs."""

    emojis: int


class EmojisToCome(Finding):
    """Discord has not all of them yet; the first start uploads them."""

    emojis: int


class EmojisMissing(Finding):
    """Discord lacks some although the bot was started, or has older ones."""

    weight = Weight.WARNING
    missing: int
    emojis: int


class InstallLink(Finding):
    """How the bot comes into a server, with all that it needs."""

    link: str
    permissions: int
    scopes: str


class InstallLacks(Finding):
    """What is missing in the link that Discord itself offers for servers."""

    weight = Weight.WARNING
    permissions: tuple[str, ...]
    """Discord's names for programs."""
    scopes: str
