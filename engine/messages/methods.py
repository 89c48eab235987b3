"""What can be wrong with a method's settings, each with its mend."""

TEXTS = {
    "methods.required": "an answer is needed: {words}",
    "methods.number": "a number is needed here",
    "methods.numbers": "a list of numbers is needed here, such as [30, 20, 10]",
    "methods.whole": "a whole number is needed here",
    "methods.too_low": "{found} is too low; give {low} or more",
    "methods.too_high": "{found} is too high; give {high} or less",
    "methods.yes_no": "true or false is needed here",
    "methods.text": "a text in quotation marks is needed here",
    "methods.choices": "a list with at least one choice is needed here",
    "methods.choice": "{found} is not a choice here; {mend}",
    "methods.graphs": "a list of graphs is needed here",
    "methods.graph_object": 'a graph is an object with "name" and "edges"',
    "methods.graph_key": 'a graph has no key "{key}"; {mend}',
    "methods.graph_edges": 'the arrows of graph "{name}" are a list of pairs of column names',
    "methods.graph_cycle": 'the arrows of graph "{name}" run in a circle: {circle}; take one away',
    "methods.graph_equations": 'the equations of graph "{name}" are an object with a key for a node',
    "methods.graph_node": 'no arrow touches "{node}", of which the graph says more; {mend}',
    "methods.graph_accepted": 'the accepted channels of graph "{name}" are an object: column, and the reason in words',
    "methods.graph_kind": 'the equation of "{node}" is of no known kind; {mend}',
}
