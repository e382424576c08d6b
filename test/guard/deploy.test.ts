import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The settings of a section of the unit for systemd. */
function section(name: string): Map<string, string> {
  const [, text = ''] = read('deploy/kontor.service').split(new RegExp(`^\\[${name}\\]$`, 'm'))
  const lines = text.split(/^\[/m)[0]!.split('\n')
  return new Map(lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s) as [string, string]))
}

test('systemd restarts the server, however often it has ended', () => {
  assert.equal(section('Unit').get('StartLimitIntervalSec'), '0')
  assert.equal(section('Service').get('Restart'), 'on-failure')
})

test('The documented way to run a command as the service uses the user, directory and umask of the service', () => {
  const command = read('docs/operations.md').match(/^systemd-run [\s\S]*?(?=\n```)/m)?.[0] ?? ''
  const service = section('Service')

  const given = [...command.matchAll(/-p (\w+)=(\S+)/g)].map(([, name, value]) => [name, value])
  const same = ['DynamicUser', 'User', 'StateDirectory', 'StateDirectoryMode', 'UMask']
  assert.deepEqual(
    given,
    same.map((name) => [name, service.get(name)]),
  )
  assert.ok(command.includes(`--data ${/KONTOR_DATA=(\S+)/.exec(service.get('Environment')!)![1]}`))
})
