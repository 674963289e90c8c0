/** Writes the page about the capabilities of SDK versions. */
import { OFFICIAL_SDKS, SDK_ABILITIES } from '@burgee/protocol/sdk/sdk-abilities'
import { describeOutcome } from '@burgee/protocol/sdk/sdk-lack-text'

const INTRODUCTION = `# Versions of SDKs

Generated from the code by \`npm run docs\`.

An SDK that evaluates flags itself may be older than a part of a flag, such as an operator. The effect depends on the SDK. Often the
strategy is off. Sometimes the constraint counts as met, and the flag may be on for everyone.

Burgee knows which applications use a flag, and the version of their SDK. It names the applications whose SDK does not support a part of the
flag:

- next to a strategy that you edit,
- next to each change of a change request,
- in \`sdkGaps\` of \`GET /api/admin/projects/{project}/features/{flag}\`: \`isUsed\` is true if the flag uses the part, \`strategies\` lists
  the strategies that use it, and \`outcome\` and \`message\` describe what the SDK does.

An application is listed if it has reported the flag in the last 30 days, and has registered or sent the header \`Unleash-SDK\`. You see only
applications of projects that you may see. The response may be half a minute old.

Segments work with every version: for SDKs that do not support segments, the server writes the constraints of segments into the strategies.
Web pages and phones are not affected either: the server, the proxy or the edge evaluates for them.

## What each version supports

Each version is the first one with this behavior, as far as we tested. For SDKs and parts without a row, we do not know the behavior.
`

const NOTE = `
We ran the SDKs for Node.js, Java and Python with the same flags, in the versions right before and after each change of behavior. We ran the
SDKs for Go and Rust in the versions that the table names. Other rows come from the documentation of the SDKs.
A Python SDK below 6.6.0 accepts any version of its engine; the rows apply to the engine that was current at its release.
`

/** Returns the page in Markdown. */
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
  const what = behavior === 'knows' ? 'supports it' : describeOutcome(ability, behavior)
  return from === '0.0.0' ? `oldest versions: ${what}` : `from ${from}: ${what}`
}
