type Props = {
  readonly texts: Readonly<Record<'preview' | 'previewFrame' | 'previewSaved' | 'previewOff', string>>
  /** Where the page is; null while there is none. */
  readonly page: string | null
}

/** Beside its form: a booking page as it is saved, as people see it. */
export function SavedPreview({ texts, page }: Props) {
  return (
    <aside class="part" aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      {page ? (
        <>
          <iframe
            class="preview"
            src={`${page}${page.includes('?') ? '&' : '?'}embed=1`}
            title={texts.previewFrame}
            loading="lazy"
            data-preview
          />
          <p class="hint">{texts.previewSaved}</p>
        </>
      ) : (
        <p class="soft">{texts.previewOff}</p>
      )}
    </aside>
  )
}
