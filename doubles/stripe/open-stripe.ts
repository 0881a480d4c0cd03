import type { OpenWorld } from '../world.ts'
import { answerApi } from './answer-api.ts'
import { controlStripe } from './control-stripe.ts'
import { answerOnboarding } from './onboarding-page.ts'
import { answerPayment, answerScript } from './payment-page.ts'
import { holdStripe } from './state.ts'

/** Stripe for one platform: what is at api.stripe.com/v1, and the pages an owner is sent to, below one base. */
export const openStripe: OpenWorld = (frame) => {
  const stripe = holdStripe(frame)
  return {
    answer: (call) => {
      if (call.method !== 'GET') return answerApi(stripe, call)
      if (call.path.startsWith('/setup/s/')) return answerOnboarding(stripe, call)
      if (call.path.startsWith('/pay/')) return answerPayment(stripe, call)
      return call.path === '/v3/' ? answerScript(call) : answerApi(stripe, call)
    },
    control: (call) => controlStripe(stripe, call),
  }
}
