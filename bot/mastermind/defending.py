"""Use cases of games in which the bot breaks the code."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Concatenate, Final, ParamSpec, TypeVar

from bot.games import game as games_game
from bot.mastermind import store
from bot.mastermind.game import (
    Change,
    MastermindTransaction,
    MastermindTransactions,
    Setting,
    parse_code,
    secret_of,
)
from bot.mastermind.model import (
    Ending,
    ImpossibleAnswerError,
    Kind,
    MastermindGame,
    Narrowing,
    NewMastermind,
    NoSuchGameError,
    Question,
    SolverView,
    Stage,
    Thought,
)
from bot.pool.pool import Pool, in_thread
from bot.pool.worker import Named
from engine import Code, Mastermind, Relabelling, Score, Turn

P = ParamSpec("P")
T = TypeVar("T")

_Turns = Sequence[Turn[Score]]

_SOLVING: Final = "bot.mastermind.solving"
EXPLAIN: Final[Named[[Mastermind, _Turns], tuple[Narrowing, ...]]] = Named(_SOLVING, "explain")
COUNT: Final[Named[[Mastermind, _Turns], Thought]] = Named(_SOLVING, "count")
THINK: Final[Named[[Mastermind, _Turns, Relabelling], Thought]] = Named(_SOLVING, "think")
PLAY_ON: Final[Named[[Mastermind, Code, _Turns, Relabelling, int], list[Turn[Score]]]] = Named(
    _SOLVING, "play_on"
)

# The standard game has so many. With a hundred times as many, a guess takes a tenth of a second.
_MOST_CODES_IN_THREAD: Final = 1296


class Defence:
    """Use cases of `defend`: the bot breaks a player's code.

    The player answers the bot's guesses, or seals the code, and the bot scores itself. Its guesses
    follow only from the turns, never from the code.

    All methods after `open_sealed` take the player and the game's id, return the game after the
    change, and raise NoSuchGameError and NotYourGameError. A click that comes too late, because the
    game has gone on or is over, changes nothing.
    """

    def __init__(self, transactions: MastermindTransactions, pool: Pool) -> None:
        self._transactions = transactions
        self._pool = pool

    async def prepare(self, player_id: int, setting: Setting, replaced: int = 0) -> None:
        """Refuse what `open_sealed` would refuse, before the player types a code.

        `replaced` is the id of the game that the new one replaces; 0 for none.
        """
        setting.rules()

        def body(work: MastermindTransaction) -> None:
            old = _replaceable(work, player_id, replaced)
            work.require_room(player_id, besides=replaced if old else 0)
            games_game.require_more(work.tx, player_id, work.now)

        await self._transactions.begin(body, player_id)

    async def setting(self, player_id: int, game_id: int = 0) -> Setting:
        """The setting of a game for which another may be chosen, or of the player's last game."""

        def read(work: MastermindTransaction) -> Setting:
            if not game_id:
                return work.last_setting(player_id, Kind.DEFEND)
            return Setting.of(work.changeable_game(player_id, game_id, Kind.DEFEND).rules)

        return await self._transactions.read(read)

    async def open(
        self, player_id: int, setting: Setting | None = None, replaced: int = 0
    ) -> SolverView:
        """Begin a game, or return the player's own unanswered one at this setting.

        Without a setting it is that of the last game. The unanswered game `replaced` ends, unless
        this is its setting; 0 stands for none.

        Raises:
            HasBegunError: something was answered in the game `replaced`.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            rules = (setting or work.last_setting(player_id, Kind.DEFEND)).rules()
            old = None
            if replaced:
                old = work.changeable_game(player_id, replaced, Kind.DEFEND, rules)
                if old.rules == rules:
                    return old
            work.require_fair(player_id, rules, is_sealable=True)
            new = work.open(NewMastermind(Kind.DEFEND, rules, player_id), besides=replaced)
            if old is not None:
                work.move(old, ending=Ending.REPLACED)
            return new

        return await self._with_findings(await self._transactions.begin(body, player_id))

    async def open_sealed(
        self, player_id: int, setting: Setting, code: str, replaced: int = 0
    ) -> SolverView:
        """Begin a game with a sealed code.

        If the form is sent twice, the second call returns the untouched game with this code. The
        game `replaced` ends if it has no seal and nothing was answered in it; 0 stands for none.

        Raises:
            CodeRefusedError: the text is no code.
        """
        rules = setting.rules()
        secret = parse_code(rules, code)
        new = NewMastermind(Kind.DEFEND, rules, player_id, secret=secret)

        def body(work: MastermindTransaction) -> MastermindGame:
            old = _replaceable(work, player_id, replaced)
            game = work.open(new, besides=replaced if old else 0)
            if old is not None:
                work.move(old, ending=Ending.REPLACED)
            return game

        return await self._explained(await self._transactions.begin(body, player_id))

    async def step(self, player_id: int, game_id: int, at_turn: int) -> SolverView:
        """Let the bot make one guess.

        Nothing happens if the game no longer has `at_turn` turns, the number that the player saw.
        """
        game = await self._read_sealed(player_id, game_id)
        if len(game.turns) != at_turn:
            return await self._explained(game)
        return await self._advance(game, most=1)

    async def finish(self, player_id: int, game_id: int) -> SolverView:
        game = await self._read_sealed(player_id, game_id)
        return await self._advance(game, most=game.guesses_left)

    async def view(self, player_id: int, game_id: int) -> SolverView:
        """The player's own game; if the bot's next guess is due, it is made first."""
        game = await self._transactions.read(
            lambda work: work.owners_game(player_id, game_id, Kind.DEFEND)
        )
        return await self._with_findings(game)

    async def answer(self, player_id: int, game_id: int, seen: Question, count: int) -> SolverView:
        """Answer the blacks of the bot's guess or, if `seen` has these, the whites.

        If only one number of whites is possible after the blacks, it is answered as well. `seen` is
        the question on the player's board.
        """

        def answer(work: MastermindTransaction, game: MastermindGame) -> MastermindGame:
            if game.guess is None or game.question != seen:
                return game
            blacks, whites = (count, None) if seen.blacks is None else (seen.blacks, count)
            if count not in game.choices:
                raise ImpossibleAnswerError(guess=game.guess, blacks=blacks, whites=whites)
            possible = game.whites_with(game.guess, blacks)
            if whites is None and len(possible) == 1:
                (whites,) = possible
            return _store_answer(work, game, seen.turn, blacks, whites)

        return await self._change(player_id, game_id, answer)

    async def take_back(self, player_id: int, game_id: int, seen: Question) -> SolverView:
        """Undo the answer of blacks while the whites are missing."""

        def take_back(work: MastermindTransaction, game: MastermindGame) -> MastermindGame:
            if game.blacks is not None and game.question == seen:
                game = _store_answer(work, game, seen.turn, None, None)
            return game

        return await self._change(player_id, game_id, take_back)

    async def correct(
        self, player_id: int, game_id: int, at_turn: int, seen: Question, answer: Score
    ) -> SolverView:
        """Correct the answer to a guess, and drop the turns after it.

        Any answer may be corrected, with or without a contradiction. A game that an answer has
        ended goes on again; one that has ended in another way stays over. `at_turn` is the number
        of answered turns that the player saw.
        """

        def correct(work: MastermindTransaction, game: MastermindGame) -> MastermindGame:
            is_current = game.is_correctable and len(game.turns) == at_turn
            if not is_current or not 0 <= seen.turn < at_turn:
                return game
            turn = game.turns[seen.turn]
            if turn.guess != seen.guess or turn.feedback == answer:
                return game
            if answer not in game.rules.answers(turn.guess):
                blacks, whites = answer
                raise ImpossibleAnswerError(guess=turn.guess, blacks=blacks, whites=whites)
            if game.stage is Stage.OVER:
                work.require_room(player_id)
                work.require_fair(player_id, game.rules, is_sealable=True)
                store.reopen(work.tx, game.id)
            store.drop_turns(work.tx, game.id, after=seen.turn)
            return _store_answer(work, game, seen.turn, answer.bulls, answer.cows)

        return await self._change(player_id, game_id, correct)

    async def give_up(self, player_id: int, game_id: int) -> SolverView:
        return await self._change(player_id, game_id, MastermindTransaction.give_up)

    async def _read_sealed(self, player_id: int, game_id: int) -> MastermindGame:
        game = await self._transactions.read(
            lambda work: work.owners_game(player_id, game_id, Kind.DEFEND)
        )
        if game.hidden_code is None:
            raise NoSuchGameError
        return game

    async def _work_out(
        self,
        work: Callable[Concatenate[Mastermind, P], T],
        rules: Mastermind,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a solver: small games in a thread, others in a process of the pool."""
        if rules.size <= _MOST_CODES_IN_THREAD:
            return await in_thread(work, rules, *args, **kwargs)
        return await self._pool.solve(partial(work, rules, *args, **kwargs))

    async def _explained(self, game: MastermindGame) -> SolverView:
        """Return the game, whose code the bot knows, with the solver's reason for each turn."""
        steps = await self._work_out(EXPLAIN, game.rules, game.turns)
        return SolverView(game, steps[-1].after if steps else game.rules.size, steps=steps)

    async def _advance(self, game: MastermindGame, most: int) -> SolverView:
        if game.stage is not Stage.PLAYING:
            return await self._explained(game)
        labels = Relabelling.decode(game.rules, game.relabelling)
        turns = await self._work_out(PLAY_ON, game.rules, secret_of(game), game.turns, labels, most)

        def body(work: MastermindTransaction) -> MastermindGame:
            now = work.game(game.id, Kind.DEFEND)
            if now != game:  # another click was faster
                return now
            work.require_fair(game.owner_id, game.rules)
            work.append(now, [turn.guess for turn in turns])
            is_solved = game.rules.solved(turns[-1].feedback)
            is_last = len(turns) == game.guesses_left
            ending = Ending.SOLVED if is_solved else Ending.LOST if is_last else None
            return work.move(now, ending=ending)

        return await self._explained(await self._transactions.write(body, game.id, game.owner_id))

    async def _change(self, player_id: int, game_id: int, change: Change) -> SolverView:
        def changed(work: MastermindTransaction) -> MastermindGame:
            return change(work, work.owners_game(player_id, game_id, Kind.DEFEND))

        return await self._with_findings(
            await self._transactions.write(changed, game_id, player_id)
        )

    async def _with_findings(self, game: MastermindGame) -> SolverView:
        """Make the bot's guess if it is missing; return the game with what the solver knows."""
        if game.hidden_code is not None:
            return await self._explained(game)
        while game.stage is Stage.PLAYING and game.guess is None:
            labels = Relabelling.decode(game.rules, game.relabelling)
            thought = await self._work_out(THINK, game.rules, game.turns, labels)
            if thought.contradiction is not None:
                return SolverView(game, thought.remaining, thought.contradiction)
            game, is_first = await self._with_guess(game, thought)
            if is_first:  # else another click was faster
                return SolverView(game, thought.remaining)
        thought = await self._work_out(COUNT, game.rules, game.turns)
        return SolverView(game, thought.remaining, thought.contradiction)

    async def _with_guess(
        self, game: MastermindGame, thought: Thought
    ) -> tuple[MastermindGame, bool]:
        """Store the bot's guess; if `thought` has none, end the game. Return the game and true.

        If the game has changed meanwhile, store nothing. Return the changed game and false.
        """

        def body(work: MastermindTransaction) -> tuple[MastermindGame, bool]:
            now = work.game(game.id, Kind.DEFEND)
            if now != game:
                return now, False
            if thought.guess is None:
                is_solved = now.rules.solved(now.turns[-1].feedback)
                return work.move(now, ending=Ending.SOLVED if is_solved else Ending.LOST), True
            work.append(now, [thought.guess])
            return work.game(now.id, Kind.DEFEND), True

        return await self._transactions.write(body, game.id, game.owner_id)


def _replaceable(
    work: MastermindTransaction, player_id: int, game_id: int
) -> MastermindGame | None:
    """The player's game, if a game with a sealed code may replace it; else None.

    Such a game is running, has no seal, and has no answer yet. `game_id` 0 stands for no game.
    """
    if not game_id:
        return None
    game = work.owners_game(player_id, game_id, Kind.DEFEND)
    return game if game.hidden_code is None and game.is_untouched else None


def _store_answer(
    work: MastermindTransaction,
    game: MastermindGame,
    turn: int,
    blacks: int | None,
    whites: int | None,
) -> MastermindGame:
    store.answer(work.tx, game.id, turn=turn, blacks=blacks, whites=whites)
    return work.move(game)
