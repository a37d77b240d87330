import { existsSync, readdirSync } from 'node:fs';
import { type Golden, readGolden } from './golden.js';

/** The recordings of this repository and what each must show. */
export interface FixtureGolden {
  readonly sdk: string;
  readonly variant: string;
  readonly recording: URL;
  readonly golden: Golden;
  /** Why this recording shows less than the conversation held; `null` when it shows all. */
  readonly loss: string | null;
}

interface Deviation extends Golden {
  readonly sdks: readonly string[];
  readonly variant: string;
  readonly why: string;
}

const recordings = new URL('../../fixtures/recordings/', import.meta.url);
const goldens = new URL('fixtures/', import.meta.url);
const deviations = new URL('fixtures/deviations/', import.meta.url);

/** Every recording with the list of its variant, or with that of its stated loss. */
export function fixtureGoldens(encoding: 'json' | 'pb'): readonly FixtureGolden[] {
  const known = readdirSync(deviations).map((name) => readDeviation(new URL(name, deviations)));
  const folders = readdirSync(recordings, { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  return folders.flatMap(({ name: sdk }) => {
    const files = readdirSync(new URL(`${sdk}/`, recordings));
    const suffix = `.otlp.${encoding}`;
    const variants = files.filter((file) => file.endsWith(suffix));
    return variants.map((file) => {
      const variant = file.slice(0, -suffix.length);
      const own = known.find((one) => one.variant === variant && one.sdks.includes(sdk));
      const recording = new URL(`${sdk}/${file}`, recordings);
      return {
        sdk,
        variant,
        recording,
        golden: own ?? readVariant(variant),
        loss: own?.why ?? null,
      };
    });
  });
}

function readDeviation(file: URL): Deviation {
  const golden: Golden & Partial<Deviation> = readGolden(file, goldens);
  const { sdks, variant, why } = golden;
  if (sdks === undefined || variant === undefined || why === undefined) {
    throw new Error(`${file.pathname} must name sdks, variant and why`);
  }
  return { ...golden, sdks, variant, why };
}

function readVariant(variant: string): Golden {
  const file = new URL(`${variant}.yaml`, goldens);
  if (!existsSync(file)) throw new Error(`no expected list for the variant ${variant}`);
  return readGolden(file, goldens);
}
