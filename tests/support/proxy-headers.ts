/** Headers that reverse proxies and ingress controllers add to forwarded requests, one header per row. */
export const PROXY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['x-forwarded-for', '203.0.113.7'],
  ['x-forwarded-host', 'flags.example.com'],
  ['x-real-ip', '203.0.113.7'],
  ['forwarded', 'for=203.0.113.7'],
  ['via', '1.1 ingress'],
]
