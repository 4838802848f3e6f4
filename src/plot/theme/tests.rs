use super::*;

#[test]
fn values_go_from_one_end_to_the_other() {
    for theme in [Theme::Light, Theme::Dark] {
        let colors: Vec<String> =
            (-STEPS..=STEPS).map(|step| theme.color(Paint::Value(step))).collect();
        let mut different = colors.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), colors.len(), "{colors:?}");
    }
    assert_eq!(Theme::Light.color(Paint::Value(STEPS)), "#1f5fae");
    assert_eq!(Theme::Light.color(Paint::Value(99)), "#1f5fae");
}

/// The contrast according to WCAG, which requires 4.5 for small text.
#[test]
fn text_stands_out() {
    let luminance = |color: String| {
        let part = |i: usize| {
            let part = f64::from(u8::from_str_radix(&color[i..i + 2], 16).unwrap()) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    for theme in [Theme::Light, Theme::Dark] {
        let contrast = |text: Paint, ground: Paint| {
            let [one, other] = [text, ground].map(|paint| luminance(theme.color(paint)) + 0.05);
            one.max(other) / one.min(other)
        };
        for text in [Paint::Ink, Paint::Soft] {
            assert!(contrast(text, Paint::Paper) >= 4.5, "{theme:?} {text:?}");
        }
        for step in -STEPS..=STEPS {
            let seen = contrast(Paint::On(step), Paint::Value(step));
            assert!(seen >= 4.5, "{theme:?} {step} {seen}");
        }
        for which in 0..super::super::drawing::SERIES {
            assert!(contrast(Paint::Series(which), Paint::Paper) >= 3.0, "{theme:?} {which}");
        }
    }
}
