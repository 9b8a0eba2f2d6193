"""What a player chooses: the rules, the vocabulary, the language."""
