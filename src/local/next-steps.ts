import { unstable_readConfig as readConfig } from 'wrangler'

const { vars } = readConfig({ config: 'wrangler.toml' })
console.log(`
Deployed. Now try it, with the service key in the environment:

  read -rs SERVICE_KEY && export SERVICE_KEY
  npm run smoke -- ${vars.PUBLIC_URL}
`)
