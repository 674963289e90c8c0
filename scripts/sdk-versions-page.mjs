/** Writes the page about the capabilities of SDK versions. */
import { OFFICIAL_SDKS, SDK_ABILITIES } from '@burgee/protocol/sdk/sdk-abilities'
import { describeOutcome } from '@burgee/protocol/sdk/sdk-lack-text'

const INTRODUCTION = `# Versions of SDKs

Generated from the code by \`npm run docs\`.

An SDK that evaluates flags itself may be older than a part of a flag, such as an operator. What it does then depends on the SDK: the
strategy is off, or the constraint counts as met and the flag may be on for everyone.

Burgee knows which applications ask for a flag, and by which version of an SDK. It names the applications whose SDK does not know a part of the flag:

- beside a strategy that you edit,
- beside each change of a change request,
- in \`sdkGaps\` of \`GET /api/admin/projects/{project}/features/{flag}\`: \`isUsed\` is true if the flag takes the part, \`strategies\` by which
  strategies, \`outcome\` and \`message\` what the SDK does.

Applications count if they have reported the flag in the last 30 days, and have registered or sent the header \`Unleash-SDK\`. You see
applications of projects that you may see. An answer may be half a minute old.

Segments are no matter of the version: the server writes their constraints into the strategies for SDKs that do not know segments. Web pages
and phones are no matter either: the server, the proxy or the edge evaluates for them.

## What versions know

A version is the first one that was seen to behave so. Nothing is claimed of SDKs and parts without a row.
`

const NOTE = `
SDKs for Node.js, Java and Python were run at both sides of each border against the same flags. Those for Go and Rust were run in the
versions that the table names. Other rows are from the SDKs' own documentation.
A Python SDK below 6.6.0 takes any version of its engine; the rows hold for the engine of its time.
`

/** Returns the page as Markdown. */
export function sdkVersionsPage() {
  const rows = OFFICIAL_SDKS.flatMap(({ title, names, abilities }) =>
    Object.entries(abilities).map(([ability, spans]) => {
      const behaviors = spans
        .filter(([, behavior]) => behavior !== 'untested')
        .map(([from, behavior]) => readText(ability, from, behavior))
      return `| ${title} (${names.map((name) => `\`${name}\``).join(', ')}) | ${SDK_ABILITIES[ability]} | ${behaviors.join('; ')} |`
    }),
  )
  return `${INTRODUCTION}\n| SDK | Part | By version |\n|---|---|---|\n${rows.join('\n')}\n${NOTE}`
}

function readText(ability, from, behavior) {
  const what = behavior === 'knows' ? 'knows it' : describeOutcome(ability, behavior)
  return from === '0.0.0' ? `at first ${what}` : `from ${from} on ${what}`
}
