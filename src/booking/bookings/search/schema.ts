import * as z from 'zod'
import { problem } from '../../../platform/reasons/reason.ts'
import { wordsOf } from './words.ts'

/** In these scripts one sign may be a whole name. */
const IS_A_SIGN = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]$/u
const LEAST = 2

/** What is searched for among people. */
export const Words = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text.length >= LEAST || IS_A_SIGN.test(text), problem('too_short', { least: LEAST }))
  .refine((text) => wordsOf(text).length > 0, problem('no_words'))

/** Whether anybody can be searched for with what somebody typed. */
export function canBeSought(text: string): boolean {
  return Words.safeParse(text).success
}
