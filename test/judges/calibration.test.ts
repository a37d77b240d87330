import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { measureAgreement, suggestThreshold } from '../../src/judges/calibration.js';

const cases = (text: string) =>
  text.split(' ').map((one) => ({ isGood: one.startsWith('+'), score: Number(one.slice(1)) }));

describe('agreement', () => {
  it('counts who was wrong which way', () => {
    // Of 5 good ones 4 pass, of 5 bad ones 1 passes.
    const seen = cases('+0.9 +0.8 +0.7 +0.6 +0.2 -0.1 -0.2 -0.3 -0.4 -0.9');
    expect(measureAgreement(seen, 0.5)).toEqual({
      count: 10,
      agreement: 0.8,
      // Chance would agree on half: (0.8 - 0.5) / 0.5.
      kappa: expect.closeTo(0.6, 10),
      confusion: { truePass: 4, falseFail: 1, falsePass: 1, trueFail: 4 },
    });
  });

  it("is that of Cohen's own kind of table: 20, 5, 10, 15 give kappa 0.4", () => {
    const seen = [
      ...Array(20).fill({ isGood: true, score: 1 }),
      ...Array(5).fill({ isGood: true, score: 0 }),
      ...Array(10).fill({ isGood: false, score: 1 }),
      ...Array(15).fill({ isGood: false, score: 0 }),
    ];
    expect(measureAgreement(seen, 0.5)).toMatchObject({
      agreement: 0.7,
      kappa: expect.closeTo(0.4, 10),
    });
  });

  it.each([
    ['all right', '+1 -0', 1],
    ['all wrong', '+0 -1', -1],
    ['always pass', '+1 +1 -1 -1', 0],
  ])('%s', (_, text, kappa) => {
    expect(measureAgreement(cases(text), 0.5).kappa).toBeCloseTo(kappa, 10);
  });

  it('has no kappa where chance explains everything, and nothing without cases', () => {
    expect(measureAgreement(cases('+1 +1'), 0.5)).toMatchObject({ agreement: 1, kappa: null });
    expect(measureAgreement([], 0.5)).toMatchObject({ count: 0, agreement: null, kappa: null });
  });

  it("takes the judge's own yes or no before its score", () => {
    expect(measureAgreement([{ isGood: true, score: 0.2, passed: true }], 0.5).agreement).toBe(1);
  });
});

describe('a threshold', () => {
  it.each([
    ['between the two kinds', '+0.75 +1 -0.5 -0.25', 0.5, 0.625],
    ['the current one, when it is as good as any', '+1 -0', 0.4, 0.4],
    ['the nearest of equals', '+1 +0.9 -0.2 -0.3', 0.1, 0.6],
  ])('is %s', (_, text, current, threshold) => {
    expect(suggestThreshold(cases(text), current)?.threshold).toBeCloseTo(threshold, 10);
  });

  it('is not suggested where none agrees better than chance', () => {
    expect(suggestThreshold(cases('+0 -1'), 0.5)).toBeNull();
    expect(suggestThreshold(cases('+1 +0.2'), 0.5)).toBeNull();
    expect(suggestThreshold([], 0.5)).toBeNull();
  });

  property.prop([
    fc.array(fc.record({ isGood: fc.boolean(), score: fc.constantFrom(0, 0.25, 0.5, 0.75, 1) }), {
      minLength: 1,
      maxLength: 30,
    }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  ])('is never worse than any threshold there is', (seen, other) => {
    const suggested = suggestThreshold(seen, 0.5);
    const kappa = measureAgreement(seen, other).kappa ?? 0;
    expect(suggested?.kappa ?? 0).toBeGreaterThanOrEqual(kappa - 1e-12);
  });
});
