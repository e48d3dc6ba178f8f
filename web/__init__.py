"""The dashboard: it reads snapshots and steps from its feed, and posts actions.

Only this package knows Flask. It imports floor 0 of `companion` and nothing else of the project,
and never touches a referee.
"""
