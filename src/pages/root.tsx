import type { Page } from './page.ts'
import { html } from './respond.ts'
import { Document } from './views/document.tsx'

export async function showRoot(page: Page): Promise<Response> {
  const { texts } = page.locale
  return html(
    page,
    <Document page={page} title="Holdfast" showsProduct={false}>
      <div class="card narrow">
        <h1>Holdfast</h1>
        <p class="lead">{texts.rootText}</p>
        <p class="links">
          <a href="/docs">{texts.rootApi}</a>
        </p>
        <p class="links">
          <a href="/llms.txt">{texts.rootAgents}</a>
        </p>
      </div>
    </Document>,
  )
}
