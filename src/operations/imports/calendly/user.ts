export type User = {
  readonly uri: string
  readonly id: string
  readonly name: string
  readonly email: string | null
}
