import type { Column } from './columns.ts'

/** The time off that takes the whole day. */
export function DaysOff({ bands }: Pick<Column, 'bands'>) {
  return bands
    .filter(({ isWhole, band }) => isWhole && band.kind === 'off')
    .map(({ band }) => (
      <p key={band.text} class="p-chip">
        <bdi>{band.text}</bdi>
      </p>
    ))
}
