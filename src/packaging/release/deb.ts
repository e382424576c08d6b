import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// The package for Debian and Ubuntu: the executable, its unit for systemd, a user, and a file for settings.

const architectures: Readonly<Record<string, string>> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }

const settingsFile = '/etc/kontor.env'
const settings = `# Settings of Kontor, one per line. "kontor config" prints all of them. After a change: systemctl restart kontor
#KONTOR_PORT=8080
#KONTOR_PUBLIC_URL=https://crm.example.com
#KONTOR_BACKUP_DIR=/var/lib/kontor/backups
`

/** `dpkg --root` does not run the system of its target. */
const ifRunning = '[ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]'

/**
 * Debian's tools neither enable nor start a service that its operator has disabled, as on a standby machine. A service that cannot start, as with
 * a wrong setting, does not fail the installation of the package.
 */
const scripts = {
  postinst: `#!/bin/sh
set -e
if deb-systemd-helper --quiet was-enabled kontor.service; then
  deb-systemd-helper enable kontor.service > /dev/null
else
  deb-systemd-helper update-state kontor.service > /dev/null
fi
if ${ifRunning}; then
  systemd-sysusers kontor.conf
  systemctl daemon-reload
  deb-systemd-invoke restart kontor.service || true
fi
`,
  prerm: `#!/bin/sh
set -e
if ${ifRunning} && [ "$1" = remove ]; then
  deb-systemd-invoke stop kontor.service
fi
`,
  postrm: `#!/bin/sh
set -e
if ${ifRunning}; then
  systemctl daemon-reload
fi
if [ "$1" = purge ]; then
  deb-systemd-helper purge kontor.service > /dev/null
  echo "The data of Kontor stays in /var/lib/kontor."
fi
`,
}

export interface DebSource {
  version: string
  /** The end of the executable's name: `linux-x64`. */
  suffix: string
  /** The path of the executable. */
  executable: string
}

/** The name of the package for a platform; undefined: there is none for it. */
export function debName({ version, suffix }: Omit<DebSource, 'executable'>): string | undefined {
  const architecture = architectures[suffix]
  return architecture && `kontor_${version}_${architecture}.deb`
}

/** Writes the package. `directory` is for its content and is removed. Needs `dpkg-deb`. */
export function writeDeb(source: DebSource, directory: string, output: string): void {
  const put = (path: string, content: string, mode = 0o644) => {
    const file = join(directory, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
    writeFileSync(file, content)
    chmodSync(file, mode)
  }
  const unit = readFileSync('deploy/kontor.service', 'utf8')
    .replace(/^# .*\n/, '')
    .replace('/usr/local/bin/kontor', '/usr/bin/kontor')
  put('usr/lib/systemd/system/kontor.service', unit)
  put('usr/lib/sysusers.d/kontor.conf', 'u kontor - "Kontor, a sales CRM" /var/lib/kontor\n')
  put(settingsFile, settings, 0o640)
  put('usr/share/doc/kontor/copyright', readFileSync('LICENSE', 'utf8'))
  put('DEBIAN/control', controlOf(source))
  put('DEBIAN/conffiles', `${settingsFile}\n`)
  for (const [name, script] of Object.entries(scripts)) put(`DEBIAN/${name}`, script, 0o755)
  const program = join(directory, 'usr/bin/kontor')
  mkdirSync(dirname(program), { mode: 0o755 })
  copyFileSync(source.executable, program)
  chmodSync(program, 0o755)
  const env = { ...process.env, SOURCE_DATE_EPOCH: '0' } // the same bytes each time
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zgzip', directory, output], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(directory, { recursive: true })
}

function controlOf({ version, suffix }: DebSource): string {
  const { author, description } = JSON.parse(readFileSync('package.json', 'utf8'))
  return `Package: kontor
Version: ${version}
Architecture: ${architectures[suffix]}
Maintainer: ${author} <kontor@localhost>
Section: web
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6, libatomic1
Description: ${description.split(':')[0]}
 Contacts, deals in stages, tasks and activities, as an API and a web console.
 One process with SQLite inside. The data is in /var/lib/kontor.
`
}
