import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const builderVersion = 'v0.161.0';
const cacheFolder = fileURLToPath(
  new URL(
    `../../../node_modules/.cache/retrial-interop/otelcol-${builderVersion}/`,
    import.meta.url,
  ),
);
const binary = `${cacheFolder}otelcol-build/otelcol`;

/**
 * Builds the real Collector with its own builder, once; the binary is kept beside the installed packages.
 * Answers with its path, or with the reason why there is none.
 */
export function buildCollector(): { readonly path: string } | { readonly missing: string } {
  if (existsSync(binary)) return { path: binary };
  if (spawnSync('go', ['version']).status !== 0) return { missing: 'Go is not installed' };

  mkdirSync(cacheFolder, { recursive: true });
  cpSync(
    fileURLToPath(new URL('./builder-config.yaml', import.meta.url)),
    `${cacheFolder}builder.yaml`,
  );
  const builder = `go.opentelemetry.io/collector/cmd/builder@${builderVersion}`;
  const build = spawnSync('go', ['run', builder, '--config', 'builder.yaml'], {
    cwd: cacheFolder,
    encoding: 'utf8',
  });
  if (build.status !== 0 || !existsSync(binary)) {
    return { missing: `the Collector could not be built: ${lastLines(build.stderr)}` };
  }
  return { path: binary };
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' | ');
}
