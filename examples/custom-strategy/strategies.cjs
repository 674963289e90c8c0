const { Strategy } = require('unleash-client')

/** Matches users whose e-mail address belongs to a domain of the parameter `domains` (comma-separated). */
class EmailDomainStrategy extends Strategy {
  constructor() {
    super('emailDomain')
  }

  isEnabled(parameters, context) {
    const domains = (parameters.domains ?? '').split(',').map((domain) => domain.trim().toLowerCase())
    const address = String(context.properties?.email ?? '').toLowerCase()
    return domains.includes(address.slice(address.lastIndexOf('@') + 1))
  }
}

/** Matches between two hours of the day (UTC): parameters `from` and `to`, 0 to 24; past midnight if `from` > `to`. */
class HoursStrategy extends Strategy {
  constructor() {
    super('hours')
  }

  isEnabled(parameters, context) {
    const from = Number(parameters.from ?? 0)
    const to = Number(parameters.to ?? 24)
    const hour = (context.currentTime ?? new Date()).getUTCHours()
    return from <= to ? hour >= from && hour < to : hour >= from || hour < to
  }
}

module.exports = [new EmailDomainStrategy(), new HoursStrategy()]
