"""What a button says for a command, in the words of the place."""

from __future__ import annotations

from pit.rules.model import Rules

LABELS: dict[str, str] = {
    "SetUpTable": "Set up the table",
    "RecordTerms": "Say what is in force",
    "PutInForce": "Put a change in force",
    "ReceiveCards": "Receive the cards",
    "InspectCards": "Inspect and verify the cards",
    "OpenTable": "Open the table",
    "CloseTable": "Close the table",
    "TakeCardsAway": "Take the cards away",
    "RecordSpread": "Spread the cards",
    "PlayerArrives": "Player arrives",
    "PlayerLeaves": "Player leaves",
    "PlayersLeave": "All players leave",
    "AffordInspection": "Give the {player} the look",
    "TurnFaceDown": "Turn the cards face down",
    "RecordWash": "Wash the cards",
    "StackCards": "Stack the cards",
    "RecordShuffle": "Shuffle the cards",
    "LoadShuffler": "Put the batch in the shuffler",
    "CompleteShuffle": "Shuffler has finished",
    "RemoveBatch": "Take the batch out of the shuffler",
    "OfferCut": "Offer the cut",
    "RefuseCut": "{Player} refuses the cut",
    "RecordCut": "Cut the cards",
    "InsertCoverCard": "Insert the cover card",
    "LoadShoe": "Load the shoe",
    "TakeInHand": "Take the deck in hand",
    "OrderRecut": "Order a recut",
    "RecordBurn": "Burn a card",
    "StartRound": "Start the round",
    "EndRound": "End the round",
    "AdvanceRounds": "Round dealt",
    "RecordCoverCardOut": "Cover card is out",
    "DirectReshuffle": "Order a reshuffle",
    "RecordNoGamingActivity": "Record no gaming activity",
    "WithdrawIdle": "Withdraw: recorded in error",
    "RemoveCards": "Take all cards out",
    "RequestFaceUp": "{Player} asks for face up",
    "RequestReshuffle": "{Player} asks for spread and reshuffle",
    "PlaceDice": "Place dice",
    "RemoveDice": "Remove the dice",
    "HandOverDice": "Hand over the dice",
    "RelieveDealer": "Relieve the {dealer}",
    "DeclareOutOfOrder": "Device out of order",
    "CoverDevice": "Cover the device",
    "SignDevice": "Put the sign on the device",
    "ReturnDevice": "Return the device to service",
    "RecordCount": "Count the deck",
    "ReplaceDeck": "Replace the deck",
    "AttestThrough": "Attest through",
    "CorrectEntry": "Correct an entry",
    "SayDue": "Say what is due",
}


def label(command: str, rules: Rules) -> str:
    """The button of a command."""
    player, dealer = rules.word("player"), rules.word("dealer")
    return LABELS[command].format(player=player, Player=player.capitalize(), dealer=dealer)
