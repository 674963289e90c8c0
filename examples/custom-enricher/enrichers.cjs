const { BlockList, isIPv6 } = require('node:net')

const OFFICE = new BlockList()
OFFICE.addSubnet('10.0.0.0', 8)
OFFICE.addSubnet('192.168.0.0', 16)
OFFICE.addSubnet('fd00::', 8, 'ipv6')

/** Adds the property `network` (`office` or `internet`), by the caller's address. */
function network(context) {
  const address = context.remoteAddress ?? ''
  const isOffice = address !== '' && OFFICE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return { ...context, properties: { ...context.properties, network: isOffice ? 'office' : 'internet' } }
}

const LONGEST_MS = 60_000
const MOST_USERS = 10_000
const plans = new Map()

/** Adds the property `plan`, which comes from a service of yours. Requests it at most once a minute for each user. */
async function plan(context) {
  const { userId } = context
  if (userId === undefined) return context
  let known = plans.get(userId)
  if (known === undefined || known.untilMs < Date.now()) {
    if (plans.size >= MOST_USERS) plans.clear()
    known = { untilMs: Date.now() + LONGEST_MS, answer: planOf(userId) }
    plans.set(userId, known)
  }
  return { ...context, properties: { ...context.properties, plan: await known.answer } }
}

/** Returns the plan of a user, or `free` if the service does not respond in time: a failed lookup must affect no flag. */
async function planOf(userId) {
  try {
    const url = `${process.env.PLAN_SERVICE_URL}/users/${encodeURIComponent(userId)}`
    const response = await fetch(url, { signal: AbortSignal.timeout(500) })
    return response.ok ? (await response.json()).plan : 'free'
  } catch {
    return 'free'
  }
}

module.exports = [network, plan]
