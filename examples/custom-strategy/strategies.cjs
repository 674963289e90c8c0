const { Strategy } = require('unleash-client')

/** On for users whose e-mail address belongs to one of the domains: parameter `domains`, comma-separated. */
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

/** On between two hours of the day, in UTC: parameters `from` and `to`, 0 to 24; over midnight where `from` > `to`. */
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
