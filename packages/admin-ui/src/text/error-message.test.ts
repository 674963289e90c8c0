import { afterAll, expect, test, vi } from 'vitest'

// The module reads the base path of the page.
vi.stubGlobal('document', { querySelector: () => null })
afterAll(() => void vi.unstubAllGlobals())
const { ApiError } = await import('../api/http.ts')
const { REASON_TEXTS } = await import('./reasons.ts')
const { de } = await import('./de.ts')
const { en } = await import('./en.ts')
const { describeError, findServerMessage } = await import('./error-message.ts')

const detail = (message: string, path?: string) => ({ message, ...(path === undefined ? {} : { path }) })
const invalid = (message: string, path?: string) =>
  [
    400,
    { name: 'ValidationError', message: `The request is not valid: ${message}`, details: [detail(message, path)] },
  ] as const
const named = (status: number, name: string, message: string) => [status, { name, message }] as const

/** Responses of the server with the texts for users. */
const TABLE: readonly (readonly [readonly [number, object], string, string])[] = [
  [[0, {}], en.errors.offline, de.errors.offline],
  [[0, { name: 'LateError' }], en.problems.late, de.problems.late],
  [
    named(401, 'AuthenticationRequired', 'You must log in first. The request has no authorization header.'),
    en.problems.loggedOut,
    de.problems.loggedOut,
  ],
  [named(401, 'PasswordMismatch', 'The old password is wrong.'), en.problems.mismatch, de.problems.mismatch],
  [named(401, 'InvalidTokenError', 'Token was not valid'), en.problems.link, de.problems.link],
  [
    named(403, 'NoAccessError', 'You don\'t have the required permission for this: you need "UPDATE_FEATURE".'),
    en.problems.noAccess,
    de.problems.noAccess,
  ],
  [
    named(404, 'NotFoundError', 'There is no flag "x" in project "p".'),
    '“x” was not found: it may have been deleted, moved or renamed.',
    '„x“ nicht gefunden: Es wurde vielleicht gelöscht, verschoben oder umbenannt.',
  ],
  [named(404, 'NotFoundError', 'There is no segment with the id 7.'), en.problems.gone, de.problems.gone],
  [named(409, 'NameExistsError', 'Feature with that name already exists'), en.problems.exists, de.problems.exists],
  [
    named(409, 'NameExistsError', 'There is already a context field named "country".'),
    '“country” already exists.',
    '„country“ existiert bereits.',
  ],
  [
    named(409, 'NameExistsError', 'There is already a user with that username or e-mail address.'),
    REASON_TEXTS.en.takenUser,
    REASON_TEXTS.de.takenUser,
  ],
  [
    named(409, 'ConflictError', 'The context field "country" is in use, by the flag "a" and the segment "b".'),
    'It is still in use: a, b.',
    'Es wird noch verwendet: a, b.',
  ],
  [
    named(409, 'ConflictError', 'This is the last administrator: there must always be one.'),
    REASON_TEXTS.en.lastAdmin,
    REASON_TEXTS.de.lastAdmin,
  ],
  [
    named(403, 'InvalidOperationError', 'The flag "a" is the parent of b, c.'),
    'Other flags depend on a: b, c. Remove the dependency first.',
    'Andere Flags hängen von a ab: b, c. Entfernen Sie zuerst die Abhängigkeit.',
  ],
  [named(403, 'InvalidOperationError', 'Something that is new here.'), en.problems.forbidden, de.problems.forbidden],
  [
    named(412, 'PreconditionFailedError', 'This was changed in the meantime.'),
    en.problems.changed,
    de.problems.changed,
  ],
  [named(413, 'PayloadTooLargeError', 'request entity too large'), en.problems.tooLarge, de.problems.tooLarge],
  [named(429, 'RateLimitError', 'Too many requests'), en.problems.tooMany, de.problems.tooMany],
  [
    invalid('"name" must be URL friendly. You provided "a b".', 'body/name'),
    '“a b” contains characters that are not allowed in names.',
    '„a b“ enthält Zeichen, die in Namen nicht erlaubt sind.',
  ],
  [
    invalid('"value" must be a number for the operator NUM_GT', 'body/constraints/0/value'),
    'The value does not fit the comparison “>”.',
    'Der Wert passt nicht zum Vergleich „>“.',
  ],
  [
    invalid('"values" must not have more than 250 items', 'body/values'),
    'At most 250 are allowed.',
    'Höchstens 250 sind erlaubt.',
  ],
  [invalid('The variant name "a" is used twice', 'body/variants'), '“a” appears twice.', '„a“ kommt zweimal vor.'],
  [
    invalid('A flag takes 500 comments of 200000 characters together at most', 'body'),
    REASON_TEXTS.en.comments('500', '200000'),
    REASON_TEXTS.de.comments('500', '200000'),
  ],
  [invalid('The new password equals the old one', 'body/password'), REASON_TEXTS.en.same, REASON_TEXTS.de.same],
  [
    invalid('Nobody has thought of this', 'body/parameters/rollout'),
    'The server rejected the value of “Rollout”.',
    'Der Server hat den Wert von „Rollout“ abgelehnt.',
  ],
  [invalid('Nobody has thought of this'), en.problems.invalid, de.problems.invalid],
  [
    [
      400,
      {
        name: 'ValidationError',
        message: 'Request validation failed: The `name` property is required. It was not present on the data you sent.',
        details: [
          detail('The `name` property is required. It was not present on the data you sent.', 'body'),
          detail('The `description` property must not have more than 10 characters.', 'body/description'),
        ],
      },
    ],
    '“Name” is missing. “Description” may have at most 10 characters.',
    '„Name“ fehlt. „Beschreibung“ darf höchstens 10 Zeichen haben.',
  ],
  [
    [
      400,
      {
        name: 'PasswordWeakError',
        message: 'The password must be at least 10 characters long.',
        details: [detail('The password must be at least 10 characters long.', 'body/password')],
      },
    ],
    'The password must have at least 10 characters.',
    'Das Passwort muss mindestens 10 Zeichen haben.',
  ],
  [
    [
      400,
      {
        name: 'PasswordWeakError',
        message: 'The password is a word and a year.',
        details: [detail('The password is a word and a year.', 'body/password')],
      },
    ],
    en.problems.weak,
    de.problems.weak,
  ],
  [
    [500, { id: 'abc', name: 'UnknownError', message: 'Something went wrong. The log …' }],
    'Server error, reference abc.',
    'Serverfehler, Referenz abc.',
  ],
  [[502, {}], en.problems.away, de.problems.away],
  [[418, {}], 'The server answered with 418.', 'Der Server hat mit 418 geantwortet.'],
  [
    invalid(
      'The flag name "x" does not match the naming pattern of the project "shop": "a[.][a-z]+". Example of a valid name: "a.b".',
      'body/name',
    ),
    '“x” does not match the pattern of this project: a[.][a-z]+',
    '„x“ entspricht nicht dem Muster dieses Projekts: a[.][a-z]+',
  ],
  [
    named(403, 'InvalidOperationError', 'The flag "a" cannot be moved: the project "p" does not use "production".'),
    'Project p does not use production.',
    'Das Projekt p verwendet production nicht.',
  ],
]

const errorOf = ([status, body]: readonly [number, object]) =>
  new ApiError(status, (body as { message?: string }).message ?? 'Failed to fetch', body)

test.each(TABLE)('%j is "%s"', (reply, english, german) => {
  expect(describeError(en, errorOf(reply))).toBe(english)
  expect(describeError(de, errorOf(reply))).toBe(german)
})

test('anything that is no answer of the server is a fault of the page', () => {
  expect(describeError(en, new TypeError('undefined is not a function'))).toBe(en.errors.fault)
})

test.each([
  {
    name: 'where our sentence only names the field',
    reply: invalid('Nobody has thought of this', 'body/type'),
    isSaid: true,
  },
  {
    name: 'where it only states that something is wrong',
    reply: named(403, 'InvalidOperationError', 'New here.'),
    isSaid: true,
  },
  { name: 'not where it names the problem', reply: invalid('The variant name "a" is used twice'), isSaid: false },
  {
    name: 'not of a missing login',
    reply: named(401, 'AuthenticationRequired', 'You must log in first.'),
    isSaid: false,
  },
])("the server's own words are to be had $name", ({ reply, isSaid }) => {
  expect(findServerMessage(en, errorOf(reply)) !== undefined).toBe(isSaid)
})
