import { describe, expect, it } from 'vitest'
import { editorScreens, SCREENS } from '../e2e/console/screens.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization } from '../support/factories.ts'
import { formOf } from '../support/pages.ts'

const GERMAN = { 'Accept-Language': 'de' }
/** What ends the session, or is another page of it. */
const SKIPPED = /^\/console\/(sign-out|mode|organizations|settings\/(sessions|delete|address))/

/** What a page says is wrong with a form. */
function troublesOf(text: string): string[] {
  const found = text.matchAll(/<(p|div|ul)[^>]*class="(?:error|problems?)"[^>]*>([\s\S]*?)<\/\1>/g)
  return [...found].map(([, , inside]) => inside!.replace(/<[^>]+>/g, ' ').trim())
}

describe('the German console', () => {
  it('shows no English sentence about what was typed wrongly', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const browser = await enter(organization)
    const told = new Set<string>()
    const sent = new Set<string>()
    for (const [, path] of [...SCREENS, ...editorScreens(id)]) {
      const page = await browser.visit(path, { headers: GERMAN })
      for (const [, action = ''] of page.text.matchAll(/<form[^>]*action="(\/console[^"]*)"/g)) {
        const isForm = page.text.includes(`method="post" action="${action}"`)
        if (!isForm || sent.has(action) || SKIPPED.test(action)) continue
        sent.add(action)
        const { pairs } = formOf(page, action)
        const typed = pairs.filter(([name]) => name !== 'csrf' && name !== 'form_key')
        if (typed.length === 0) continue
        for (const value of ['', '://\t', 'x'.repeat(3_000)]) {
          const own = pairs.filter(([name]) => name === 'csrf')
          const form = [...own, ...typed.map(([name]): [string, string] => [name, value])]
          const answer = await browser.visit(action, { form, headers: GERMAN })
          for (const trouble of troublesOf(answer.text)) told.add(trouble)
        }
      }
    }
    expect([sent.size > 15, told.size > 15]).toEqual([true, true])
    expect([...told].filter((one) => /\b(the|must|this|is|not|with|of|such)\b/i.test(one))).toEqual([])
  }, 120_000)
})
