"""The nouns of champions: the choice of a role, its wearers, permissions; reasons of refusal."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import NamedTuple

from bot.leaderboards.boards import Period
from bot.refused import Refused, written
from bot.text.labels import permission_names
from bot.text.language import N_, _


@dataclass(frozen=True, slots=True)
class ChampionChoice:
    """A server's choice of the role that the winners of a week or month have.

    Attributes:
        champion_role_id: the role; None if the server has chosen none.
        champion_day: the first date of the period whose winners were noted last; None before that.
        champion_at: when to look for new winners; None for never.
    """

    champion_role_id: int | None = None
    champion_period: str = Period.WEEK.value
    champion_day: date | None = None
    champion_at: datetime | None = None

    @property
    def period(self) -> Period:
        return Period(self.champion_period)


class Wearer(NamedTuple):
    """A member who has, is to have, or is to lose a server's role from the bot."""

    guild_id: int
    role_id: int
    player_id: int


@dataclass(frozen=True, slots=True)
class Champion:
    """What the bot does about a wearer's role.

    Attributes:
        look_at: when to look at the role next; None once the wearer has it, until it is over.
        is_ours: the bot has given the role, or begun to, to a member who did not have it.
        over_at: the time from which the role is to be taken back; None while the wearer keeps it.
    """

    look_at: datetime | None
    is_ours: bool = False
    over_at: datetime | None = None


class RoleChange(Enum):
    """What Discord is to be asked about a wearer's role."""

    GIVE = "given"
    TAKE = "taken"


@dataclass(frozen=True, slots=True)
class SeenRole:
    """A role as Discord shows it.

    Attributes:
        is_managed: Discord or an application gives it, or everybody has it.
        is_reachable: the bot may give it.
        more: permissions that it gives, and that members without it lack.
        channel_id: a channel that allows the role's members more than others; None for none.
        more_there: the permissions that this channel gives to the role.
    """

    is_managed: bool = False
    is_reachable: bool = True
    more: Sequence[str] = ()
    channel_id: int | None = None
    more_there: Sequence[str] = ()


class ChampionRoleGoneError(Refused):
    sentence = N_("The champion's role has been deleted.")


class ChampionRoleManagedError(Refused):
    role_id: int

    sentence = N_("I can't give {role}: it belongs to Discord or an app.")


class ChampionRoleStrongError(Refused):
    """The role gives its members permissions that others lack."""

    role_id: int
    missing: Sequence[str]
    """Discord's names of these permissions."""
    channel_id: int | None = None
    """The channel in which the role gives them; None if it gives them everywhere."""

    def told(self) -> str:
        words = _("{role} grants **{permissions}**: too much for a prize.")
        if self.channel_id is not None:
            words = _("{role} grants **{permissions}** in {channel}: too much for a prize.")
        return words.format(permissions=permission_names(self.missing), **written(self))


class ChampionRoleHighError(Refused):
    role_id: int

    sentence = N_("I can't give {role}: I need **Manage Roles**, and a role above it.")


class ChampionRoleForbiddenError(Refused):
    """The member who chose the role may not give it to others."""

    role_id: int

    sentence = N_("You can't choose {role}: you need **Manage Roles**, and a role above it.")


def objection(role_id: int, seen: SeenRole | None) -> Refused | None:
    """Return why the bot may not give a role; None if it may. `seen` is None for a deleted role."""
    if seen is None:
        return ChampionRoleGoneError()
    if seen.is_managed:
        return ChampionRoleManagedError(role_id=role_id)
    if seen.more:
        return ChampionRoleStrongError(role_id=role_id, missing=seen.more)
    if seen.channel_id is not None:
        return ChampionRoleStrongError(
            role_id=role_id, missing=seen.more_there, channel_id=seen.channel_id
        )
    if not seen.is_reachable:
        return ChampionRoleHighError(role_id=role_id)
    return None
