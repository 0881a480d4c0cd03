import type { ComponentChildren } from 'preact'
import { colonAfter } from '../../platform/i18n/colon.ts'
import type { Page } from '../page.ts'

type Props = {
  readonly page: Page
  readonly title?: string
  readonly fields?: Readonly<Record<string, string>>
  /** The label of a field, when the error alone would not say which field it is about. */
  readonly labels?: Readonly<Record<string, string>>
  readonly children?: ComponentChildren
}

/** The errors, above the form: looked at and read out at once, each a link to its field. */
export function Problems({ page, title, fields = {}, labels = {}, children }: Props) {
  const entries = Object.entries(fields)
  if (entries.length === 0 && !title) return null
  return (
    <div class="problems" role="alert" tabIndex={-1} autofocus data-focus>
      <h2>{title ?? page.locale.texts.errorTitle}</h2>
      {entries.length > 0 && (
        <ul>
          {entries.map(([name, text]) => (
            <li key={name}>
              <a href={`#${name}`}>
                {labels[name] && (
                  <>
                    <bdi>{labels[name]}</bdi>
                    {colonAfter(page.locale, labels[name])}{' '}
                  </>
                )}
                {text}
              </a>
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  )
}
