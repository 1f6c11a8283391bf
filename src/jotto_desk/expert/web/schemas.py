"""The JSON bodies `/api/v1` takes and returns, for validation and for the OpenAPI page."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from ..reasoning.candidates import GAMES, MOST_COLOURS, MOST_HOLES

Guess = Annotated[StrictStr, Field(min_length=1, max_length=64, examples=["0011"])]
Number = Annotated[StrictInt, Field(ge=0, le=64)]
Answer = (
    Annotated[list[Number], Field(min_length=2, max_length=2)] | Number | Annotated[StrictStr, Field(max_length=64)]
)


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewGame(_Shape):
    """What shall be played; holes, colours and repeats for codes alone."""

    rules: Annotated[StrictStr, Field(max_length=30, description=f"One of: {', '.join(GAMES)}.")] = "exact"
    holes: Annotated[StrictInt, Field(ge=1, le=MOST_HOLES)] | None = None
    colours: Annotated[StrictInt, Field(ge=2, le=MOST_COLOURS)] | None = None
    repeats: StrictBool | None = None
    seed: Annotated[StrictInt, Field(ge=0, le=2**31 - 1, description="0 draws one.")] = 0


class NewTurn(_Shape):
    """A guess and its answer: [blacks, whites], "bww", a number of letters in common, or marks such as "EPNNN"."""

    guess: Guess
    answer: Answer


class ErrorReply(BaseModel):
    """Why something is not done, in a sentence."""

    error: str
    ret_msg: str
    elapsed_ms: int


class TurnTaken(BaseModel):
    """A turn of a game."""

    turn: int
    guess: str
    answer: list[int] | int | str


class Clash(BaseModel):
    """The smallest set of turns that cannot all be true; none where something fits."""

    fits: bool
    turns: list[TurnTaken]
    is_smallest: bool
    text: str


class GameState(BaseModel):
    """How a game stands; `funnel` counts what fitted after 0, 1, 2 ... turns."""

    id: str
    rules: str
    holes: int
    colours: int
    symbols: str
    repeats: bool
    answers: str
    seed: int
    turns: list[TurnTaken]
    left: int
    is_all: bool
    funnel: list[int]
    solved: str | None
    clash: Clash | None
    slips: list[str]


class GameListed(BaseModel):
    """A game in a list."""

    id: str
    rules: str
    turns: int


class Codes(BaseModel):
    """What fits, or the first of it; not `is_all` where more may fit than are counted."""

    left: int
    is_all: bool
    codes: list[str]


class Supposed(Codes):
    """What would fit after one more turn."""

    guess: str
    answer: list[int] | int | str


class PossibleAnswer(BaseModel):
    """One answer a guess may get, how likely, and how many would remain."""

    answer: list[int] | int | str
    chance: float
    left: int


class Why(BaseModel):
    """How good a guess is: what would remain in the mean and at worst, groups and bits its answer makes."""

    guess: str
    fits: bool
    left: int
    is_all: bool
    mean: float
    worst: int
    groups: int
    bits: float
    answers: list[PossibleAnswer]
    text: str


class Suggestion(Why):
    """A guess, with the strategy it comes from and why it was chosen."""

    strategy: str
    reason: str


class Reason(BaseModel):
    """A turn that speaks against a code: what it got, and what the code would have answered."""

    turn: int
    guess: str
    got: list[int] | int | str
    expected: list[int] | int | str


class WhyNot(BaseModel):
    """Tell whether a code fits, and what speaks against it."""

    code: str
    fits: bool
    reasons: list[Reason]
    text: str
