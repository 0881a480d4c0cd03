/** A failure that the person at the terminal can act on: only its message is printed. */
export class Failure extends Error {}
