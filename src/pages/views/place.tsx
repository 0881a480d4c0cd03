import type { Page } from '../page.ts'
import { Linked, Outward } from './linked.tsx'

type Props = { readonly page: Page; readonly location: string; readonly map: string | null }

/** Where it is, with a map where that is an address. */
export function Place({ page, location, map }: Props) {
  return (
    <>
      <bdi>
        <Linked page={page} text={location} />
      </bdi>
      {map && (
        <>
          {' · '}
          <Outward page={page} href={map}>
            {page.locale.texts.map}
          </Outward>
        </>
      )}
    </>
  )
}
