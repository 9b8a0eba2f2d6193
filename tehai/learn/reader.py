"""Lessons for who is in the midst of the course: what its done steps have taught is taken as known."""

from __future__ import annotations

from collections.abc import Container

from scorer.telling.lesson import Lesson
from scorer.telling.taught import as_taught

# The course and its pictures are imported by those alone who have begun it.


def for_learner(lesson: Lesson, known: Container[str]) -> Lesson:
    """The lesson as the learner can read it. ``known``: the topics that were answered."""
    from tehai.learn.course import so_far
    from tehai.learn.texts import Texts

    taught = so_far(known, Texts(lesson.catalogue.language, lesson.rules.words))
    return lesson if taught is None else as_taught(lesson, taught)


def for_this_user(lesson: Lesson) -> Lesson:
    """The same by the progress that is kept for this user; as it is where there is none."""
    from tehai.learn.errors import DrillError
    from tehai.learn.progress import Progress, default_path

    path = default_path()
    try:
        return for_learner(lesson, Progress.load(path).topics) if path.exists() else lesson
    except DrillError:  # tehai learn says what is wrong with the file
        return lesson
