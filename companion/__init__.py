"""The rules and the table: what happened, what may happen, who won and why.

Nothing in this package touches a device; `companion.app` alone joins it to cameras, serial ports,
lamps and screens. Imports go down only: actions and offers know nothing, games know those, the
referee knows games.
"""
