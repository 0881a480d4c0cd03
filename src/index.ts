import { DurableObject } from 'cloudflare:workers'
export class EventTypeObject extends DurableObject { async hi(){ return 'x' } }
export class RateLimiter extends DurableObject { async hi(){ return 'y' } }
export default {
  async fetch(req: Request, env: any) {
    const u = new URL(req.url)
    if (u.pathname === '/ip') return Response.json([...req.headers])
    if (u.pathname === '/lim') return Response.json(await env.PUBLIC_LIMIT.limit({ key: 'a' }))
    if (u.pathname === '/do') return Response.json([await env.EVENT_TYPES.getByName('a').hi(), typeof Temporal])
    try {
      const rs = await env.DB.batch([
        env.DB.prepare("insert into guard(refusal,refused) select 'CAP', (select count(*) from t) > ?").bind(Number(u.searchParams.get('n'))),
        env.DB.prepare("insert into t(x) values (1)")])
      return Response.json(rs)
    } catch (e: any) { return Response.json({ m: e.message, c: e.cause?.message }) }
  },
}
