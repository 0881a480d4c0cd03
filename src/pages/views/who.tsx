import type { Page } from '../page.ts'

type Props = { readonly page: Page; readonly name: string; readonly email: string }

/** A person by name and address, each in the direction of its own script. An erased person is not named. */
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
