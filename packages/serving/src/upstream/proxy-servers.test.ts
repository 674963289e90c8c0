import { OptionsError } from '@burgee/kit/options/options'
import { describe, expect, test } from 'vitest'
import { chooseProxyServer, type ProxyServerSettings } from './proxy-servers.ts'

const choose = (settings: ProxyServerSettings, address: string): string | undefined =>
  chooseProxyServer(settings)(new URL(address))?.href

describe('the proxy server of an address', () => {
  const [H, S, A] = ['http://h:1/', 'http://s:2/', 'http://a:3/']
  test.each<[ProxyServerSettings, http: string | undefined, https: string | undefined]>([
    [{}, undefined, undefined],
    [{ httpProxy: H }, H, undefined],
    [{ httpsProxy: S }, undefined, S],
    [{ allProxy: A }, A, A],
    [{ httpProxy: H, httpsProxy: S }, H, S],
    [{ httpProxy: H, allProxy: A }, H, A],
    [{ httpsProxy: S, allProxy: A }, A, S],
    [{ httpProxy: H, httpsProxy: S, allProxy: A }, H, S],
    [{ httpProxy: H, httpsProxy: S, noProxy: 'up.test' }, undefined, undefined],
    [{ httpProxy: H, httpsProxy: S, noProxy: 'up.test:443' }, H, undefined],
    [{ allProxy: A, noProxy: '*' }, undefined, undefined],
  ])('%j: http %s, https %s', (settings, http, https) => {
    expect([choose(settings, 'http://up.test/api'), choose(settings, 'https://up.test/api')]).toEqual([http, https])
  })

  test.each([
    ['proxy:3128', 'http://proxy:3128/'],
    ['10.0.0.1:3128', 'http://10.0.0.1:3128/'],
    ['[::1]:3128', 'http://[::1]:3128/'],
    ['proxy', 'http://proxy/'],
    ['user:word@proxy:3128', 'http://user:word@proxy:3128/'],
    ['HTTP://proxy:3128', 'http://proxy:3128/'],
    ['https://proxy', 'https://proxy/'],
  ])('%s is %s', (value, server) => {
    expect(choose({ allProxy: value }, 'https://up.test/')).toBe(server)
  })

  test.each(['socks5://proxy:1080', 'tcp://10.0.0.1:3128', 'http://', 'a b', 'http://user:word@'])(
    '%s is refused where it is used, without its value, and nowhere else',
    (value) => {
      const settings = { httpProxy: value, noProxy: 'direct.test' }
      expect(() => choose(settings, 'http://up.test/')).toThrow(
        new OptionsError(['HTTP_PROXY (option "httpProxy") must be host:port or an http(s) URL of a proxy server']),
      )
      expect([choose(settings, 'https://up.test/'), choose(settings, 'http://direct.test/')]).toEqual([
        undefined,
        undefined,
      ])
    },
  )
})

describe('noProxy', () => {
  test.each<[list: string, direct: string[], proxied: string[]]>([
    ['', [], ['a.test']],
    ['a.test', ['a.test', 'b.a.test', 'A.TEST', 'a.test.', 'a.test:81'], ['ba.test', 'test']],
    ['.a.test', ['a.test', 'b.a.test'], ['ba.test']],
    ['*.a.test', ['a.test', 'b.a.test'], ['ba.test']],
    ['A.test.', ['a.test'], []],
    ['x, a.test b.test', ['a.test', 'b.test', 'x'], ['c.test']],
    ['a.test:8080', ['a.test:8080', 'b.a.test:8080'], ['a.test', 'a.test:81']],
    ['a.test:80', ['a.test'], ['a.test:81']],
    ['10.1.2.3', ['10.1.2.3', '10.1.2.3:99'], ['10.1.2.4', '110.1.2.3']],
    ['10.1.2.3:99', ['10.1.2.3:99'], ['10.1.2.3']],
    ['10.0.0.0/8', ['10.1.2.3', '10.1.2.3:99'], ['11.1.2.3', '10.0.0.0.a.test']],
    ['10.0.0.0/8:99', ['10.1.2.3:99'], ['10.1.2.3']],
    ['::1', ['[::1]', '[0:0::1]:99'], ['[::2]']],
    ['[::1]:99', ['[::1]:99'], ['[::1]']],
    ['fd00::/8', ['[fd00::7]'], ['[fe00::7]', '10.0.0.1']],
    ['[fd00::]/8:99', ['[fd00::7]:99'], ['[fd00::7]']],
    ['10.0.0.0/33, 10.0.0/8, /8, :80, .', [], ['10.0.0.1', 'a.test']],
    ['a.test,*', ['anything'], []],
  ])('%s', (noProxy, direct, proxied) => {
    const isDirect = (host: string) => choose({ httpProxy: 'p:1', noProxy }, `http://${host}/`) === undefined
    expect([direct.filter((host) => !isDirect(host)), proxied.filter(isDirect)]).toEqual([[], []])
  })
})
