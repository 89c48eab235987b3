"""Texts about channels."""

TEXTS = {
    "channels.empty_side": "Cannot be computed: 0 people of {group} have everything known that leads to {target}.",
    "channels.suggested": "No graph was drawn. A starting graph of {n} columns was made by the machine; its arrows are nobody's belief yet. Draw your own before you read the parts.",
    "channels.stated": "The parts are read from the data alone, so that they add up exactly. The stated equation of {nodes} is not used here.",
    "channels.left_out": "{n} people are not counted: {reason}.",
    "channels.no_robustness": 'The causes of "{target}" leave nothing over, so no unmeasured factor is needed and none can be bounded.',
    "channels.needed": 'An unmeasured legitimate factor would have to explain {share} of what is left of "{target}" and as much of what is left of the attribute to make the direct part 0. If the groups differ by one standard deviation in it, a standard deviation of it must move "{target}" by {direct} ({deviations} standard deviations of what is left).',
    "channels.needed_interval": "To let the interval take in 0, {share} is enough.",
    "channels.needed_nothing": "The interval takes in 0 already, so nothing unmeasured is needed.",
    "channels.needed_strongest": 'For comparison, "{node}", the strongest measured cause, explains {of_target} of the one and {of_attribute} of the other.',
    # advice, in the paper's order
    "channels.advice_model": "{share} of the gap is the system's own, or comes from something that was not measured. First look for a legitimate cause that is missing from the graph. If there is none, mend the model: take the proxy out, or train it under a fairness constraint.",
    "channels.advice_feature": '{share} of the gap comes through "{part}", which carries history. Mend the feature: measure the same thing in a way that history shaped less, or take its historical part out. Another model with this feature would show the same gap.',
    "channels.advice_policy": '{share} of the gap comes through "{part}", a difference of today\'s circumstances. No other model would remove it. Whether it may count is a question of policy: take it to those who answer for the product.',
    "channels.advice_behaviour": '{share} of the gap comes through "{part}", which the graph calls people\'s own behaviour. Check that it measures behaviour and not circumstances before you accept it.',
    "channels.advice_unsaid": '{share} of the gap comes through "{part}". Say in the graph what it is (historical, socioeconomic, behaviour or proxy); what to do follows from that.',
    # findings
    "channels.gap": "{gap} ({interval}): {unprivileged} have {less} in {target} than {privileged} on average.",
    "channels.direct_shown": "{value} of it ({interval}, {share}) goes directly from {attribute} to {target}, past every measured cause.",
    "channels.direct_open": "{value} of it ({interval}, {share}) would be direct; the interval takes in 0, so the data do not settle whether there is a direct part.",
    "channels.direct_do": "Ask which inputs of the system can stand for {attribute}. An unmeasured legitimate cause looks the same: name the ones you can think of.",
    "channels.part_shown": '{value} ({interval}, {share}) comes through "{node}".',
    "channels.part_open": '{value} ({interval}, {share}) would come through "{node}"; the interval takes in 0.',
    "channels.unexplained_shown": "{value} ({interval}, {share}) reaches {nodes} from {attribute} by ways that the graph does not have.",
    "channels.unexplained_do": "A cause of {nodes} is missing from the graph. Measure it, or read this part as open.",
    "channels.unexplained_open": "{value} ({interval}) is left unexplained in {nodes}; the interval takes in 0.",
    "channels.opposite": "Parts of both signs cancel here: the whole gap is smaller than some of its parts. Read the parts, not the sum.",
    "channels.assume": "The parts rest on the graph: an arrow left out is an assumption. Straight lines are fitted; where they bend, the parts are averages.",
    "channels.one_base": "All shares are of the whole gap. Paper 003 gives the first share of the whole gap and the others of the rest; on one base they are as here.",
    "channels.mediator": "Do not hold a mediator fixed to find the effect of what comes before it: that hides the very part that it carries.",
}
