import type { Call, Reply } from '../world.ts'
import { onboard } from './control-stripe.ts'
import type { Stripe } from './state.ts'

/**
 * Where an account link leads: a page with one button, or `?done=1` pressed at once (a shortcut of the double). A link
 * that is over or was used leads to `refresh_url`. docs.stripe.com/connect/hosted-onboarding
 */
export function answerOnboarding(stripe: Stripe, call: Call): Reply {
  const link = stripe.secrets.get(call.path)
  if (!link) return { status: 404, html: '<!doctype html><title>Stripe</title><h1>Page not found</h1>' }
  if (link.isUsed || call.now / 1000 > link.expires_at)
    return { status: 302, headers: { Location: link.refresh_url } }
  if (!call.query.has('done'))
    return {
      status: 200,
      html: `<!doctype html><title>Stripe</title><h1>Tell Stripe about your business</h1><p>A pretend page: nothing is asked.</p><form><button name="done" value="1">Agree and submit</button></form>`,
    }
  link.isUsed = true
  onboard(stripe, link.account, {})
  return { status: 302, headers: { Location: link.return_url } }
}
