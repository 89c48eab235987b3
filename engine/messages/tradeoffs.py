"""Texts about definitions of fairness that conflict."""

TEXTS = {
    "tradeoffs.nothing": "definitions are compared on decisions with a recorded outcome; name both in the plan",
    "tradeoffs.nobody": "Cannot be computed: {group} has 0 people with a score and a known outcome.",
    "tradeoffs.no_rate": "Cannot be computed: {group} has 0 people with {what}.",
    "tradeoffs.no_score": "Calibration cannot be computed: 0 people have a score. Ask the provider for the score behind each decision.",
    "tradeoffs.no_probability": "Calibration cannot be computed: the scores run from {low} to {high}, and a probability lies between 0 and 1. Ask the provider for probabilities.",
    "tradeoffs.score_is_decision": "Calibration cannot be computed: the {n} scores are all 0 or 1, so they are decisions and no probabilities.",
    "tradeoffs.few_in_bin": "{n} people are too few to show a rate (10 are needed).",
    "tradeoffs.no_identity": "Cannot be checked: a rate in it has an empty denominator.",
    "tradeoffs.no_base_rates": "Cannot be told: a group has 0 people with a known outcome and decision.",
    "tradeoffs.equal": "Yes: the groups have the same base rate, so nothing stands in the way.",
    "tradeoffs.perfect": "Yes, here: every decision agrees with the outcome.",
    "tradeoffs.parity_odds": "No: base rates differ by {gap} points. Equal odds carry that difference into the decisions, unless decisions ignore the outcome altogether.",
    "tradeoffs.parity_calibration": "Not with one score and one threshold: base rates differ by {gap} points, and a calibrated score carries that difference. "
    "A threshold for each group can make the rates equal and leaves the score calibrated, but then people with the same score are treated differently.",
    "tradeoffs.odds_calibration": "No: base rates differ by {gap} points. With equal precision, error rates must differ, unless prediction is perfect.",
    "tradeoffs.all_three": "No: base rates differ by {gap} points, and already two of them conflict.",
    "tradeoffs.undeclared": "No definition is declared. They cannot all hold; say which one counts here, and why.",
    "tradeoffs.no_reason": "A definition is declared without a reason. Add one: it is printed.",
    # findings
    "tradeoffs.base_rates": "Base rates first: {rates} have a favourable recorded outcome. The gap is {gap} points ({interval}).",
    "tradeoffs.base_unsettled": "These people do not settle whether base rates differ: what is said below of definitions together is said of these people.",
    "tradeoffs.base_rates_do": "Ask whether the recorded outcome is itself free of bias; every definition but parity trusts it.",
    "tradeoffs.parity": "Favourable decisions differ by {gap} points ({interval}), {unprivileged} less {privileged}: demographic parity {word}.",
    "tradeoffs.apart": "Between any two groups they differ by up to {widest} points.",
    "tradeoffs.odds": "Among those with a favourable outcome decisions differ by {tpr} points, among the others by {fpr} points: equalised odds {word}.",
    "tradeoffs.calibration": "In the worst group scores miss the observed rate by {ece} points on average: calibration within groups {word}. "
    "Chance alone would reach up to {chance} points there.",
    "tradeoffs.together": "Of the three definitions {holding} here. All three together: {answer}",
    "tradeoffs.cost": "{definition} by a threshold for each group changes {changed} of {of} decisions; accuracy goes from {before} to {after}{ties}.",
    "tradeoffs.cost_ties": ". People with the same score are decided together: {ties} more than the one that sets it lie on a threshold",
    "tradeoffs.declared": "This audit rests on {definition}{by}. {holds}Reason: {reason}",
    "tradeoffs.holds": "By value it holds here. ",
    "tradeoffs.holds_not": "By value it does not hold here. ",
    "tradeoffs.identity": "Self-check: the identity of false positive rate, base rate, precision and false negative rate holds in each group to 12 digits.",
}
