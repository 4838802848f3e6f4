use super::*;

fn numbers(texts: &[&str]) -> Vec<Number> {
    texts.iter().map(|text| Number::parse(text).unwrap()).collect()
}

fn marks(scale: &Scale) -> Vec<&str> {
    scale.marks.iter().map(|(_, text)| text.as_str()).collect()
}

#[test]
fn marks_are_round_numbers() {
    let scale = Scale::linear(&numbers(&["1", "33"]), Kind::Integer, Ends::Numbers);
    assert_eq!(marks(&scale), ["5", "10", "15", "20", "25", "30"]);
    let scale = Scale::linear(&numbers(&["879870726489600"]), Kind::Integer, Ends::Zero);
    assert_eq!(marks(&scale), ["0", "200", "400", "600", "800", "1,000"]);
    assert_eq!(scale.unit(), 12);
    let scale = Scale::linear(&numbers(&["0.2", "0.8"]), Kind::Share, Ends::Zero);
    assert_eq!(marks(&scale), ["0%", "20%", "40%", "60%", "80%"]);
    let scale = Scale::linear(&numbers(&["-10", "11"]), Kind::Integer, Ends::Zero);
    assert_eq!(marks(&scale), ["−10", "−5", "0", "5", "10", "15"]);
}

#[test]
fn whole_numbers_have_whole_marks() {
    let scale = Scale::linear(&numbers(&["1", "2"]), Kind::Label, Ends::Numbers);
    assert_eq!(marks(&scale), ["1", "2"]);
}

#[test]
fn numbers_stand_between_the_ends() {
    let texts = ["3", "700", "12"];
    let numbers = numbers(&texts);
    for scale in [
        Scale::linear(&numbers, Kind::Integer, Ends::Numbers),
        Scale::linear(&numbers, Kind::Integer, Ends::Zero),
        Scale::log(&numbers, Kind::Integer, Ends::Zero).unwrap(),
    ] {
        for &number in &numbers {
            let at = scale.at(number).unwrap();
            assert!((0.0..=1.0).contains(&at), "{at} in {scale:?}");
        }
        for &(at, _) in &scale.marks {
            assert!((-1e-9..=1.0 + 1e-9).contains(&at), "{at} in {scale:?}");
        }
    }
}

#[test]
fn equal_ratios_are_equal_distances() {
    let scale = Scale::log(&numbers(&["1", "3164120509"]), Kind::Integer, Ends::Zero).unwrap();
    assert_eq!(marks(&scale), ["1", "100", "10,000", "10⁶", "10⁸", "10¹⁰"]);
    let place = |text| scale.at(Number::parse(text).unwrap()).unwrap();
    assert!((place("100") - place("10") - (place("1000") - place("100"))).abs() < 1e-12);
    assert_eq!(scale.at(Number::ZERO), None);
    assert_eq!(Scale::log(&numbers(&["0", "-4"]), Kind::Integer, Ends::Zero), None);
    let scale = Scale::log(&numbers(&["0.004976", "0.831003"]), Kind::Share, Ends::Zero).unwrap();
    assert_eq!(marks(&scale), ["0.2%", "0.5%", "1%", "2%", "5%", "10%", "20%", "50%", "100%"]);
    let scale = Scale::log(&numbers(&["3", "40"]), Kind::Integer, Ends::Zero).unwrap();
    assert_eq!(marks(&scale), ["2", "5", "10", "20", "50"]);
    let scale = Scale::log(&numbers(&["3", "40"]), Kind::Integer, Ends::Numbers).unwrap();
    assert_eq!(marks(&scale), ["5", "10", "20"]);
}

#[test]
fn odd_numbers_have_a_scale_too() {
    let huge = format!("1{}", "0".repeat(10_000));
    let nines = "9".repeat(400);
    for texts in [
        &[][..],
        &["0"],
        &["5", "5"],
        &["-7"],
        &["1000000000000000", "1000000000000001"],
        &["1e-320", "1e308"],
        &["-1e308", "1e308"],
        &[&huge, "1"],
        &[&huge, &nines],
        &["999999.9999999"],
    ] {
        let numbers = numbers(texts);
        for kind in [Kind::Integer, Kind::Share, Kind::Real(3)] {
            let scales =
                [Ends::Zero, Ends::Numbers].map(|ends| Some(Scale::linear(&numbers, kind, ends)));
            for scale in scales
                .into_iter()
                .chain([
                    Scale::log(&numbers, kind, Ends::Zero),
                    Scale::log(&numbers, kind, Ends::Numbers),
                ])
                .flatten()
            {
                assert!((1..=30).contains(&scale.marks.len()), "{texts:?} {scale:?}");
                for at in numbers.iter().filter_map(|&number| scale.at(number)) {
                    assert!((-0.001..=1.001).contains(&at), "{texts:?} {at}");
                }
                for (at, text) in &scale.marks {
                    assert!(at.is_finite() && text.len() < 40, "{texts:?} {text}");
                }
            }
        }
    }
}
