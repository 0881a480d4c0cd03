/** Something the person at the terminal can act on: its message is all that is printed. */
export class Failure extends Error {}
