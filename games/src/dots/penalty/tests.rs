use super::*;

#[test]
fn penalties_are_exact_and_written_in_one_way() {
    let cases = [
        ("0", "0", (0, 1), (0, 0, (0, 1))),
        ("-0", "0", (0, 1), (0, 0, (0, 1))),
        ("0.000", "0", (0, 1), (0, 0, (0, 1))),
        ("-0/7", "0", (0, 1), (0, 0, (0, 1))),
        ("-1", "-1", (-1, 1), (-1, -1, (0, 1))),
        ("-0.5", "-0.5", (-1, 2), (-1, 0, (1, 2))),
        ("-.50", "-0.5", (-1, 2), (-1, 0, (1, 2))),
        ("-2/4", "-0.5", (-1, 2), (-1, 0, (1, 2))),
        ("-1.25", "-1.25", (-5, 4), (-2, -1, (3, 4))),
        ("-7/3", "-7/3", (-7, 3), (-3, -2, (2, 3))),
        ("-0.000001", "-0.000001", (-1, 1_000_000), (-1, 0, (999_999, 1_000_000))),
        ("-1000", "-1000", (-1000, 1), (-1000, -1000, (0, 1))),
        (
            "-999999999/1000000",
            "-999.999999",
            (-999_999_999, 1_000_000),
            (-1000, -999, (1, 1_000_000)),
        ),
        (" -2000/2 ", "-1000", (-1000, 1), (-1000, -1000, (0, 1))),
        ("1", "1", (1, 1), (1, 1, (0, 1))),
        ("0.5", "0.5", (1, 2), (0, 1, (1, 2))),
        ("7/3", "7/3", (7, 3), (2, 3, (1, 3))),
        ("1000", "1000", (1000, 1), (1000, 1000, (0, 1))),
    ];
    for (text, written, fraction, (floor, ceil, rest)) in cases {
        let penalty = Penalty::parse(text).unwrap();
        assert_eq!(penalty.to_string(), written, "{text}");
        assert_eq!((penalty.numerator(), penalty.denominator()), fraction, "{text}");
        assert_eq!((penalty.floor(), penalty.ceil(), penalty.fraction()), (floor, ceil, rest));
        assert_eq!(penalty.is_whole(), floor == ceil);
        assert_eq!(Penalty::parse(written), Ok(penalty));
        assert_eq!(Penalty::new(fraction.0, fraction.1), Ok(penalty));
    }
    assert_eq!(Penalty::default(), Penalty::new(0, i64::MAX).unwrap());
}

#[test]
fn other_numbers_are_refused() {
    let huge = "9".repeat(40);
    let negative = |text: &str| format!("-{text}");
    for text in [
        "", "-", "nan", "NaN", "inf", "-inf", "--1", "+1", "- 1", "-1.", ".", "-.", "1e3", "-1e3",
        "-1/", "/2", "-/2", "-1/-2", "-1/+2", "-1.5/2", "-1/2/3", "-1.2.3", "-1/0", "0/0",
        "-\u{661}",
    ] {
        assert_eq!(Penalty::parse(text), Err(PenaltyError::Malformed(text.to_string())));
    }
    for text in ["1001", "1000.000001", "3001/3", "1000000", huge.as_str()] {
        assert_eq!(Penalty::parse(text), Err(PenaltyError::TooHigh(text.to_string())));
    }
    for text in ["-1001", "-1000.000001", "-3001/3", &negative(&huge)] {
        assert_eq!(Penalty::parse(text), Err(PenaltyError::TooLow(text.to_string())));
    }
    for text in ["-0.5000000", "-1/1000001", "-1/3000000", "0.0000001", &format!("-1/{huge}")] {
        assert_eq!(Penalty::parse(text), Err(PenaltyError::TooFine(text.to_string())));
    }
    for (numerator, denominator) in
        [(1001, 1), (0, 0), (-1, -1), (i64::MIN, 1), (i64::MIN, i64::MAX - 1)]
    {
        let error = Penalty::new(numerator, denominator).unwrap_err().to_string();
        assert!(error.contains(&format!("{numerator}/{denominator}")), "{error}");
    }
    let error = Penalty::parse("2000").unwrap_err().to_string();
    assert_eq!(error, "the penalty 2000 is too high; a penalty is from -1000 to 1000");
}
