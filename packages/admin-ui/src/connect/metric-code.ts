/**
 * Three lines of code that report an impact metric, keyed by SDK id. The lines use the variable `flags`, which the
 * SDK's sample code sets up.
 */
export const METRIC_CODE: Readonly<Record<string, string>> = {
  node: `flags.impactMetrics.defineCounter('errors', 'Failed requests')
// where a request fails
flags.impactMetrics.incrementCounter('errors')`,
  java: `flags.getImpactMetrics().defineCounter("errors", "Failed requests");
// where a request fails
flags.getImpactMetrics().incrementCounter("errors");`,
  python: `flags.impact_metrics.define_counter("errors", "Failed requests")
# where a request fails
flags.impact_metrics.increment_counter("errors")`,
  javascript: `flags.impactMetrics.defineCounter('errors', 'Failed requests')
// where a request fails
flags.impactMetrics.incrementCounter('errors')`,
}
