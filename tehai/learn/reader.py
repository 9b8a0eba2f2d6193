"""Lessons for a learner within the course: what the finished steps have taught needs no explanation."""

from __future__ import annotations

from collections.abc import Container

from scorer.telling.for_learners import adapt_to_learner
from scorer.telling.lesson import Lesson

# The course and its pictures are imported by those alone who have begun it.


def for_learner(lesson: Lesson, known: Container[str]) -> Lesson:
    """The lesson as the learner can read it. ``known``: the topics that were answered."""
    from tehai.learn.course import learner_knowledge
    from tehai.learn.texts import Texts

    knowledge = learner_knowledge(known, Texts(lesson.catalogue.language, lesson.rules.words))
    return lesson if knowledge is None else adapt_to_learner(lesson, knowledge)


def for_this_user(lesson: Lesson) -> Lesson:
    """The lesson for this user's progress; unchanged without any."""
    from tehai.learn.errors import DrillError
    from tehai.learn.progress import Progress, default_path

    path = default_path()
    try:
        return for_learner(lesson, Progress.load(path).topics) if path.exists() else lesson
    except DrillError:  # tehai learn says what is wrong with the file
        return lesson
