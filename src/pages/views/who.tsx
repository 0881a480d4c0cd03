import type { Page } from '../page.ts'

type Props = { readonly page: Page; readonly name: string; readonly email: string }

/** Somebody by name and address, each in the direction of its own letters. Nobody is told of whoever was erased. */
export function Who({ page, name, email }: Props) {
  return (
    <>
      {name !== '' && <bdi>{name}</bdi>}
      {name !== '' && email !== '' && page.locale.texts.comma}
      {email !== '' && <bdi>{email}</bdi>}
      {name === '' && email === '' && '–'}
    </>
  )
}
